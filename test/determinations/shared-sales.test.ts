import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Category } from '../../agents/categories.ts';
import { gatherComparables } from '../../runtime/determinations/evidence/prices.ts';
import { evidenceNow } from '../../runtime/determinations/evidence/shared-sales.ts';
import { importRegister } from '../../store/registers/registers.ts';
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

/** What is shared now, which must be what is read afresh. @returns why each sale does not count */
async function shown(parties: readonly string[] = [], now = stage.later(1_000), lot = LOT) {
  const question = { category: CATEGORY, lot, parties, now };
  const shared = await (await evidenceNow(database.db, [CATEGORY])).comparables(question);
  const fresh = await gatherComparables(database.db, question);
  expect(shared).toEqual(fresh.comparables);
  return Object.fromEntries(shared.map((s) => [s.id, s.dropped]));
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

it('reads the sales once for every lot and every agent, until they change', async () => {
  let reads = 0;
  const counted = new Proxy(database.db, {
    get(target, name, self) {
      if (name === 'isTransaction') return false;
      const member = Reflect.get(target, name, self);
      if (name !== 'executeQuery') return typeof member === 'function' ? member.bind(target) : member;
      return (query: { sql: string }) => {
        if (query.sql.includes('with newest as') || query.sql.includes('from register_entries')) reads += 1;
        return target.executeQuery(query as never);
      };
    },
  });
  const look = async () => {
    const evidence = await evidenceNow(counted, [CATEGORY]);
    await Promise.all(
      [LOT, LOT.replace('/1', '/2'), LOT.replace('/1', '/3')].map((lot, i) =>
        evidence.comparables({ category: CATEGORY, lot, parties: [`0x${i}`], now: stage.now() }),
      ),
    );
  };
  await look();
  expect(reads).toBe(2);
  await Promise.all([look(), look()]);
  expect(reads).toBe(2);
  await sold(await stage.agent(), await stage.agent());
  await look();
  expect(reads).toBe(4);
});
