import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeOnBook } from '../../runtime/market/orders/judge-placing.ts';
import { usedSignatures } from '../../store/http/used-signatures.ts';
import { readOrderSnapshot } from '../../store/market/order-context.ts';
import { findOrder } from '../../store/market/orders.ts';
import { type JudgedOrder, writeOrder } from '../../store/market/place-order.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let stage: MarketStage;
let other: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

async function listed() {
  const listingRef = stage.fresh('lst');
  const lot = await stage.list(await stage.agent(), { listingRef });
  return { lot, listingRef };
}

/** An order of an agent, judged by a look at how things stand now. @param change of what the look says it saw */
async function judged(
  handle: string,
  listingRef: string,
  { nonce, ...change }: { seen?: string; digest?: string; nonce?: string } = {},
): Promise<JudgedOrder> {
  const asked = { listingRef, handle, owner: `0xowner-of-${handle}`, now: stage.now() };
  const look = (await readOrderSnapshot(database.db, asked))!;
  const order = { orderId: stage.fresh('order'), side: 'buy', limit: 20_000_000n, openingBid: null } as const;
  const terms = { ...order, ...(nonce === undefined ? {} : { nonce }) };
  return judgeOnBook({ ...look, ...change }, { ...terms, expiresAt: stage.later(86_400_000) });
}

async function rests(order: JudgedOrder): Promise<boolean> {
  const row = await writeOrder(database.db, order);
  const isPlaced = typeof row !== 'string';
  expect(await findOrder(database.db, order.order.orderId)).toEqual(isPlaced ? row : null);
  return isPlaced;
}

describe('an order that was judged by a look, while another connection is in the middle of something', () => {
  const say = async (...statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await other.query(statement);
  };
  /** Until it waits for a lock that the other connection holds. */
  async function waits(): Promise<void> {
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    const waiting = sql<{ n: bigint }>`
      select count(*) as n from pg_stat_activity where ${rows[0]!.pid}::int = any (pg_blocking_pids(pid))`;
    const started = async () => (await waiting.execute(database.db)).rows[0]!.n;
    while ((await started()) === 0n) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  interface On {
    readonly lot: string;
    readonly handle: string;
    readonly nonce: string;
  }
  const LOT = ({ lot }: On) => `select 1 from lots where asset_key = '${lot}' for update`;
  const ASK = ({ lot }: On) => `update listings set ask = ask + 1000000 where asset_key = '${lot}'`;
  const USE = ({ nonce }: On) => `insert into used_signatures (nonce, used_at) values ('${nonce}', now())`;
  /** What the other does, and what it holds meanwhile, so that the order that comes must wait for it; null: nothing. */
  const DOES = {
    'asks another price of the lot it holds': { holds: LOT, change: ASK },
    'asks another price without holding the lot': { holds: null, change: ASK },
    'pauses the agent': {
      holds: ({ handle }: On) => `select 1 from agents where handle = '${handle}' for update`,
      change: ({ handle }: On) => `update agents set status = 'paused' where handle = '${handle}'`,
    },
    'uses the signature up, holding the lot': { holds: LOT, change: USE },
    'uses the signature up': { holds: null, change: USE },
  } as const;
  const BEGINS = ['before the look', 'after the look'] as const;
  const WITHIN = [
    '',
    ' within a savepoint that it releases',
    ' within a savepoint that it takes back',
  ] as const;
  const ENDS = ['commits', 'rolls back'] as const;
  const all = Object.entries(DOES).flatMap(([does, acts]) =>
    BEGINS.flatMap((begins) =>
      WITHIN.flatMap((within) =>
        ENDS.map(
          (ends) =>
            [`${does}${within}, begun ${begins}, and ${ends}`, { acts, begins, within, ends }] as const,
        ),
      ),
    ),
  );

  it.each(all)('rests only where nothing came of what %s', async (_, { acts, begins, within, ends }) => {
    const { lot, listingRef } = await listed();
    const [handle, nonce] = [await stage.agent(), stage.fresh('nonce')];
    const on = { lot, handle, nonce };
    const { holds, change } = acts;
    const makes = async (): Promise<void> => {
      // It has its number from here on, whatever else it does.
      await say('begin', 'select pg_current_xact_id()');
      if (holds !== null) await say(holds(on));
      if (within !== '') await say('savepoint s');
      await say(change(on));
      if (within.endsWith('releases')) await say('release savepoint s');
      if (within.endsWith('takes back')) await say('rollback to savepoint s');
    };
    if (begins === 'before the look') {
      await makes();
      // One that began later and is done: from now on a snapshot tells of the first that it is under way.
      await stage.agent();
    }
    const order = await judged(handle, listingRef, { nonce });
    if (begins === 'after the look') await makes();
    const end = () => say(ends === 'commits' ? 'commit' : 'rollback');
    if (holds === null) await end();
    const [rested] = await Promise.all([rests(order), holds === null ? null : waits().then(end)]);
    const changed = ends === 'commits' && !within.endsWith('takes back');
    expect(rested).toBe(!changed);
    expect(await usedSignatures(database.db).isUsed(nonce)).toBe(rested || (changed && change === USE));
  });

  it('rests by the snapshot alone, or by the digest alone, and by neither not at all', async () => {
    const { listingRef } = await listed();
    const again = async (change: { seen?: string; digest?: string }) =>
      await rests(await judged(await stage.agent(), listingRef, change));
    // Other databases of this server commit as well: the snapshot is the same as soon as none does just then.
    while (!(await again({ digest: 'another' })));
    expect(await again({ seen: '1:1:' })).toBe(true);
    expect(await again({ seen: '1:1:', digest: 'another' })).toBe(false);
  });
});
