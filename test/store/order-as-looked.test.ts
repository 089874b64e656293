import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookBeforeOrder } from '../../store/order-standing.ts';
import { findOrder } from '../../store/orders.ts';
import { type Restable, restAtOnce, restable } from '../../store/rest-at-once.ts';
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
  change: { seen?: string; digest?: string } = {},
): Promise<Restable> {
  const asked = { listingRef, handle, owner: `0xowner-of-${handle}`, now: stage.now() };
  const look = (await lookBeforeOrder(database.db, asked))!;
  const order = { orderId: stage.fresh('order'), side: 'buy', limit: 20_000_000n, openingBid: null } as const;
  return restable({ ...look, ...change }, { ...order, expiresAt: stage.later(86_400_000) })!;
}

async function rests(order: Restable): Promise<boolean> {
  const row = await restAtOnce(database.db, order);
  expect(await findOrder(database.db, order.order.orderId)).toEqual(row);
  return row !== null;
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

  /** Where what the other does to the lot, or to the agent, holds up the order that comes. */
  const DOES = {
    'asks another price of the lot it holds': {
      holds: (lot: string) => `select 1 from lots where asset_key = '${lot}' for update`,
      change: (lot: string) => `update listings set ask = ask + 1000000 where asset_key = '${lot}'`,
    },
    'pauses the agent': {
      holds: (_: string, handle: string) => `select 1 from agents where handle = '${handle}' for update`,
      change: (_: string, handle: string) => `update agents set status = 'paused' where handle = '${handle}'`,
    },
    'asks another price without holding the lot': {
      holds: () => 'select 1',
      change: (lot: string) => `update listings set ask = ask + 1000000 where asset_key = '${lot}'`,
    },
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
    const ann = await stage.agent();
    const makes = async (): Promise<void> => {
      // It has its number from here on, whatever else it does.
      await say('begin', 'select pg_current_xact_id()', acts.holds(lot, ann));
      if (within !== '') await say('savepoint s');
      await say(acts.change(lot, ann));
      if (within.endsWith('releases')) await say('release savepoint s');
      if (within.endsWith('takes back')) await say('rollback to savepoint s');
    };
    if (begins === 'before the look') await makes();
    const order = await judged(ann, listingRef);
    if (begins === 'after the look') await makes();
    const end = () => say(ends === 'commits' ? 'commit' : 'rollback');
    const held = acts.holds(lot, ann) !== 'select 1';
    if (!held) await end();
    const [rested] = await Promise.all([rests(order), held ? waits().then(end) : null]);
    expect(rested).toBe(ends === 'rolls back' || within.endsWith('takes back'));
  });

  it('rests by the snapshot alone, or by the digest alone, and by neither not at all', async () => {
    const { listingRef } = await listed();
    const ann = await stage.agent();
    // Other databases of this server commit as well: the snapshot is the same as soon as none does just then.
    while (!(await rests(await judged(ann, listingRef, { digest: 'another' }))));
    expect(await rests(await judged(ann, listingRef, { seen: '1:1:' }))).toBe(true);
    expect(await rests(await judged(ann, listingRef, { seen: '1:1:', digest: 'another' }))).toBe(false);
  });
});
