import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Category } from '../../agents/categories.ts';
import { evidenceNow } from '../../runtime/determinations/evidence/price/shared-sales.ts';
import { readOnce } from '../../store/read-once.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { heapUsed } from '../fixtures/heap-used.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

const CATEGORY: Category = 'digital-products';
const DAY = 86_400_000;
const LOT = `eip155:1002/erc721:0x${'a'.repeat(40)}/1`;

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

/** A deal that settles now. @returns its match and its deal */
async function sold(seller: string, buyer: string) {
  const lot = await stage.list(seller);
  const { match } = await stage.order(buyer, lot, { limit: 100_000_000n });
  if (match === null) throw new Error('they did not match');
  const { matchId, dealId } = match;
  await settle(matchId, stage.tick());
  return { matchId, dealId };
}

const settle = (matchId: string, settled_at: Date | null) =>
  database.db.updateTable('matches').set({ settled_at }).where('match_id', '=', matchId).execute();

const seenIn = async (db: TestDatabase['db'], question: Parameters<Evidence['sales']>[0]) =>
  await (await evidenceNow(db, [CATEGORY])).sales(question);
type Evidence = Awaited<ReturnType<typeof evidenceNow>>;

/** What is shared now, which must be what is read afresh. @returns why each sale does not count */
async function shown(parties: readonly string[] = [], now = stage.later(1_000), lot = LOT) {
  const question = { category: CATEGORY, lot, parties, now };
  const shared = await seenIn(database.db, question);
  // Nothing was kept for it before.
  const fresh = database.db.withoutPlugins();
  expect(shared).toEqual(await seenIn(fresh, question));
  return Object.fromEntries(shared.comparables.map((s) => [s.id, s.dropped]));
}

it('shows the sales as they are, whatever has changed of them, and to each party without its own', async () => {
  expect(await shown()).toEqual({});
  const [a, b, c, d] = [await stage.agent(), await stage.agent(), await stage.agent(), await stage.agent()];
  const first = await sold(a, b);
  expect(await shown()).toEqual({ [first.matchId]: null });
  const second = await sold(c, d);
  expect(await shown()).toEqual({ [first.matchId]: null, [second.matchId]: null });
  expect(await shown([`0xowner-of-${a}`])).toEqual({ [first.matchId]: 'party', [second.matchId]: null });
  expect(await shown([`0xowner-of-${d}`])).toEqual({ [first.matchId]: null, [second.matchId]: 'party' });

  await database.db
    .updateTable('deals')
    .set({ findings: JSON.stringify([{ side: 'buyer', verdict: 'FLAGGED' }]) })
    .where('deal_id', '=', second.dealId)
    .execute();
  expect(await shown()).toEqual({ [first.matchId]: null, [second.matchId]: 'flagged' });

  await importRegister(database.db, {
    register: 'comparables',
    source: 'auctions',
    asOf: stage.now(),
    mode: 'replace',
    rows: (async function* () {
      yield {
        key: `${CATEGORY}:a licence@${stage.now().toISOString()}:12`,
        detail: { category: CATEGORY },
      };
    })(),
  });
  expect(Object.keys(await shown())).toHaveLength(3);

  // A chain that goes back.
  await settle(first.matchId, null);
  expect(await shown()).not.toHaveProperty(first.matchId);
});

it('leaves out a sale from the moment on at which it is too old', async () => {
  const [a, b] = [await stage.agent(), await stage.agent()];
  const { matchId } = await sold(a, b);
  const { settled_at } = await database.db
    .selectFrom('matches')
    .select('settled_at')
    .where('match_id', '=', matchId)
    .executeTakeFirstOrThrow();
  const end = settled_at!.getTime() + 365 * DAY;
  expect(await shown([], new Date(end - 1))).toHaveProperty(matchId);
  expect(await shown([], new Date(end))).not.toHaveProperty(matchId);
  expect(await shown([], new Date(end - 1))).toHaveProperty(matchId);
});

it('is the same at one moment, however the sales change meanwhile', async () => {
  const question = { category: CATEGORY, lot: LOT, parties: [], now: stage.later(1_000) };
  const once = readOnce(database.db);
  const before = await seenIn(once, question);
  const { matchId } = await sold(await stage.agent(), await stage.agent());
  const after = { ...question, now: stage.later(1_000) };
  expect((await seenIn(database.db, after)).comparables.map((s) => s.id)).toContain(matchId);
  expect(await seenIn(once, question)).toEqual(before);
});

/** The same database, whose statements are told apart. */
function counting() {
  const reads = { all: 0, changed: 0 };
  const db = new Proxy(database.db, {
    get(target, name, self) {
      if (name === 'isTransaction') return false;
      const member = Reflect.get(target, name, self);
      if (name !== 'executeQuery') return typeof member === 'function' ? member.bind(target) : member;
      return (query: { sql: string }) => {
        if (query.sql.includes('limit $3') || query.sql.includes('from register_entries')) reads.all += 1;
        if (query.sql.includes('as found (match_id)')) reads.changed += 1;
        return target.executeQuery(query as never);
      };
    },
  });
  return { db, reads };
}

it('reads the sales once for every lot and every agent, and then what has changed of them', async () => {
  const { db, reads } = counting();
  const look = async () => {
    const evidence = await evidenceNow(db, [CATEGORY]);
    const found = await Promise.all(
      [LOT, LOT.replace('/1', '/2'), LOT.replace('/1', '/3')].map((lot, i) =>
        evidence.sales({ category: CATEGORY, lot, parties: [`0x${i}`], now: stage.now() }),
      ),
    );
    return found.map(({ comparables }) => comparables.map((s) => s.id));
  };
  await look();
  expect(reads).toEqual({ all: 2, changed: 0 });
  await Promise.all([look(), look()]);
  expect(reads).toEqual({ all: 2, changed: 0 });
  const { matchId } = await sold(await stage.agent(), await stage.agent());
  for (const lot of await look()) expect(lot).toContain(matchId);
  expect(reads).toEqual({ all: 2, changed: 1 });
  await settle(matchId, null);
  for (const lot of await look()) expect(lot).not.toContain(matchId);
  expect(reads).toEqual({ all: 2, changed: 2 });
});

it('reads all of them again where more have changed than the database remembers', async () => {
  const { db, reads } = counting();
  const question = { category: CATEGORY, lot: LOT, parties: [], now: stage.later(1_000) };
  await seenIn(db, question);
  const { matchId } = await sold(await stage.agent(), await stage.agent());
  for (let n = 0; n < 20; n++) {
    await settle(matchId, null);
    await settle(matchId, stage.tick());
  }
  const now = stage.later(1_000);
  const seen = await seenIn(db, { ...question, now });
  expect(seen).toEqual(await seenIn(database.db.withoutPlugins(), { ...question, now }));
  expect(reads).toEqual({ all: 4, changed: 0 });
});

it('keeps nothing of what was found among sales that are others now', async () => {
  await importRegister(database.db, {
    register: 'comparables',
    source: 'many',
    asOf: stage.now(),
    mode: 'replace',
    rows: (async function* () {
      for (let n = 0; n < 2_000; n++)
        yield {
          key: `${CATEGORY}:licence ${n}@${stage.now().toISOString()}:12`,
          detail: { category: CATEGORY },
        };
    })(),
  });
  const { matchId } = await sold(await stage.agent(), await stage.agent());
  const now = stage.later(1_000);
  let lots = 0;
  // A lot that is sold is asked for no more, and each sale changes the list that the next one is compared with.
  const trade = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      await settle(matchId, n % 2 === 0 ? null : stage.now());
      const question = { category: CATEGORY, lot: LOT.replace(/1$/, String(++lots)), parties: [], now };
      const evidence = await evidenceNow(database.db, [CATEGORY]);
      await Promise.all([evidence.sales(question), evidence.worth(question)]);
    }
  };
  await trade(20);
  const before = await heapUsed();
  await trade(200);
  expect(((await heapUsed()) - before) / 200).toBeLessThan(8_000);
});
