import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replyUntil } from '../../agents/certificates/dispute.ts';
import { decideDispute } from '../../runtime/certificates/rule-on-dispute.ts';
import { fileDispute } from '../../store/certificates/disputes.ts';
import { databaseTime } from '../../store/database.ts';
import type { Match } from '../../store/market/matches.ts';
import { THROUGHPUT, throughput } from '../../store/records/throughput.ts';
import type { DealState } from '../../store/tables.ts';
import { markSettled, unwindDeal } from '../fixtures/closings.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

/** What the operator's page counts, and how. */

const MINUTE = 60_000;
const PAST = 20_000;
const NOTHING = { matched: 0, settled: 0, stopped: 0, waitForOwners: 0, openDisputes: 0 };

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
  const now = await databaseTime(database.db);
  stage.tick(now.getTime() - stage.now().getTime() - 90 * MINUTE);
});
afterAll(() => database?.drop());

async function deal(): Promise<Match> {
  const lot = await stage.list(await stage.agent());
  const { match } = await stage.order(await stage.agent(), lot, { limit: 100_000_000n });
  const { matchId, dealId } = match!;
  const parties = { seller: 'seller', buyer: 'buyer', price: 1n, fee: 0n, created_at: stage.now() };
  await database.db
    .insertInto('deals')
    .values({ deal_id: dealId, match_id: matchId, ...parties })
    .onConflict((oc) => oc.doNothing())
    .execute();
  return match!;
}
const settle = ({ dealId }: Match) =>
  stage.inTrx((trx) => markSettled(trx, { dealId, tx: '0xtx', block: 1n, now: stage.now() }));
const stop = ({ dealId }: Match) =>
  stage.inTrx((trx) =>
    unwindDeal(trx, {
      ...{ dealId, reason: 'it was not CLEAN', orderId: stage.fresh('again'), ids: stage.ids() },
      causes: [
        { finding: 'wallet', side: 'buyer', verdict: 'FLAGGED' },
        { finding: 'provenance', side: 'seller', verdict: 'FLAGGED' },
      ],
      ...{ allows: () => false, now: stage.now() },
    }),
  );
const show = ({ dealId }: Match, state: DealState) =>
  database.db.updateTable('deals').set({ state }).where('deal_id', '=', dealId).execute();

describe('what came about within the hour', () => {
  it('counts what was made, settled and stopped in it, and nothing of before', async () => {
    expect(await throughput(database.db)).toEqual(NOTHING);
    await settle(await deal());
    await stop(await deal());
    const lasting = [await deal(), await deal()] as const;
    expect(await throughput(database.db)).toEqual(NOTHING);
    stage.tick(60 * MINUTE);
    await settle(lasting[0]);
    await stop(lasting[1]);
    await deal();
    expect(await throughput(database.db)).toEqual({ ...NOTHING, matched: 1, settled: 1, stopped: 1 });
  });

  it('counts what waits for an owner or for the operator as long as it does', async () => {
    const [one, other] = [await deal(), await deal()];
    await show(one, 'awaiting-owner');
    await show(other, 'awaiting-owner');
    await show(other, 'awaiting-owner');
    expect(await throughput(database.db)).toMatchObject({ waitForOwners: 2 });
    await show(one, 'settling');
    await stop(other);
    expect(await throughput(database.db)).toMatchObject({ waitForOwners: 0 });

    const filedAt = new Date(stage.now().getTime() - 8 * 24 * 60 * MINUTE);
    const dispute = {
      ...{
        disputeId: 'dsp_1',
        tokenId: '1',
        assetKey: 'serial:generic:FRAME1',
        wallet: '0xstranger',
        filedAt,
      },
      ...{ grounds: 'It is of another bicycle.', evidence: [], replyUntil: replyUntil(filedAt) },
    };
    await stage.inTrx((trx) => fileDispute(trx, dispute));
    expect(await throughput(database.db)).toMatchObject({ openDisputes: 1 });
    await decideDispute(database.db, 'dsp_1', { ruling: 'rejected', reason: 'It is the same bicycle.' });
    expect(await throughput(database.db)).toMatchObject({ openDisputes: 0 });
  });

  it('is found by indexes alone, and reads the same beside twice the history', async () => {
    await history(PAST);
    const counted = await throughput(database.db);
    const { plan, pages } = await planned();
    for (const table of ['matches', 'deals', 'stops', 'certificate_disputes'])
      expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}\\b`));
    for (const index of [
      'matches_matched',
      'matches_sales',
      'stops_stopped',
      'certificate_disputes_undecided',
    ])
      expect(plan).toContain(index);
    await history(PAST);
    expect(await throughput(database.db)).toEqual(counted);
    // An index becomes a page deeper at most.
    expect((await planned()).pages).toBeLessThan(pages + 20);
  });
});

/** How the counts are found, and how many pages that reads. */
async function planned(): Promise<{ plan: string; pages: number }> {
  const { rows } = await sql<Record<string, string>>`explain (analyze, buffers, timing off) ${sql.raw(
    THROUGHPUT.text,
  )}`.execute(database.db);
  const plan = rows.map((row) => Object.values(row)[0]).join('\n');
  const [, hit = '0', read = '0'] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan)!;
  return { plan, pages: Number(hit) + Number(read) };
}

let told = 0;

/** So many deals of the day before yesterday, each with a dispute, a third of them stopped. */
async function history(count: number): Promise<void> {
  const from = told;
  told += count;
  const n = sql`generate_series(${from + 1}::int, ${from + count}::int) n`;
  const at = sql`now() - interval '2 days' + n * interval '1 millisecond'`;
  await database.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db);
    await sql`insert into matches (match_id, deal_id, asset_key, category, chain, sell_order, buy_order, seller_owner,
      buyer_owner, price, matched_at, settled_at)
      select 'm' || n, 'd' || n, 'a' || n, 'digital-products', 'eip155:1002', 's' || n, 'b' || n, 'o', 'p', 1, ${at}, ${at}
      from ${n}`.execute(db);
    await sql`insert into deals (deal_id, match_id, seller, buyer, price, fee, state, updated_at)
      select 'd' || n, 'm' || n, 's', 'b', 1, 0, case n % 3 when 0 then 'stopped' else 'recorded' end, ${at} from ${n}`.execute(
      db,
    );
    await sql`insert into stops (deal_id, finding, side, asset_key, seller, buyer, price, stopped_at, ends_at)
      select 'd' || n, 'wallet', 'buyer', 'a' || n, 's', 'b', 1, ${at}, ${at} from ${n} where n % 3 = 0`.execute(
      db,
    );
    await sql`insert into certificate_disputes (dispute_id, token_id, asset_key, wallet, grounds, evidence, filed_at,
      reply_until, decision, reason, decided_at)
      select 'x' || n, n::text, 'serial:generic:' || n, 'w', 'g', '{}', ${at}, ${at}, 'rejected', 'r', ${at} from ${n}`.execute(
      db,
    );
    await sql`reset session_replication_role`.execute(db);
    await sql`vacuum analyze matches, deals, stops, certificate_disputes`.execute(db);
  });
}
