import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetNewOwners, newOwners } from '../../store/agent/beneficial-owners.ts';
import { nonceStore } from '../../store/chain-sync/signers.ts';
import { untoldChanges } from '../../store/market/market-changes.ts';
import { type PendingWork, pendingWork } from '../../store/pending-work.ts';
import { closeBatch, insertRecord, markAnchored } from '../../store/records/records.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let stage: MarketStage;
beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

/** The names of what there is to do. */
async function pending(): Promise<string[]> {
  const { nonces, ...work } = await pendingWork(database.db, stage.now());
  return (Object.keys(work) as Exclude<keyof PendingWork, 'nonces'>[]).filter((name) => work[name]);
}

describe('what there is to do for the service', () => {
  it('is nothing in a service that nobody has used', async () => {
    expect(await pending()).toEqual([]);
    expect((await pendingWork(database.db, stage.now())).nonces).toEqual({});
  });

  it('names what a listing and its orders leave to be done, and no more once it is done', async () => {
    const lot = await stage.list(await stage.agent());
    expect(await pending()).toEqual(['marketChanges', 'newOwners']);
    const orderId = stage.fresh('order');
    await stage.order(await stage.agent(), lot, { orderId, expiresAt: stage.later(60_000) });
    await database.db.deleteFrom('market_changes').execute();
    await forgetNewOwners(
      database.db,
      (await newOwners(database.db, 10)).map(({ owner }) => owner),
    );
    expect(await pending()).toEqual([]);
    await database.db
      .updateTable('orders')
      .set({ status: 'unfunded' })
      .where('order_id', '=', orderId)
      .execute();
    await database.db.deleteFrom('market_changes').execute();
    expect(await pending()).toEqual(['unfundedOrders']);
    stage.tick(60_000);
    expect(await pending()).toEqual(['overdueOrders', 'unfundedOrders']);
    await database.db
      .updateTable('orders')
      .set({ status: 'cancelled', left_at: stage.now() })
      .where('order_id', '=', orderId)
      .execute();
    await database.db.deleteFrom('market_changes').execute();
    expect(await untoldChanges(database.db, 1)).toEqual([]);
    expect(await pending()).toEqual([]);
  });

  it('names records until their batch is anchored', async () => {
    const record = { recordId: 'rec_1', kind: 'appeal', parties: [], issuedAt: '2026-09-06T12:00:00Z' };
    await stage.inTrx((trx) =>
      insertRecord(trx, {
        record: { ...record, subject: 'a deal', summary: 'It was looked at again.' } as never,
        ...{ hash: `0x${'1'.repeat(64)}`, signature: '0x1', evidence: null, handle: null },
      }),
    );
    expect(await pending()).toEqual(['openRecords']);
    const batch = (await closeBatch(database.db))!;
    expect(await pending()).toEqual(['openRecords']);
    await stage.inTrx((trx) =>
      markAnchored(trx, batch.batchId, { tx: `0x${'7'.repeat(64)}`, block: 7n, at: stage.now() }),
    );
    expect(await pending()).toEqual([]);
  });

  it('names notifications that nobody spread', async () => {
    const handle = await stage.agent();
    await database.db.deleteFrom('new_owners').execute();
    await sql`insert into owner_notifications (handle, kind, body, at)
      values (${handle}, 'deal.matched', '{}', now())`.execute(database.db);
    expect(await pending()).toEqual(['notifications']);
    await database.db.deleteFrom('owner_notifications').execute();
  });

  it('tells how far each key has used its nonces', async () => {
    const address = `0x${'c'.repeat(40)}`;
    const keys = nonceStore(database.db, { chainId: 1002, address });
    await keys.atLeast(5);
    expect((await pendingWork(database.db, stage.now())).nonces).toEqual({ [`1002:${address}`]: 5 });
    await keys.atLeast(6);
    expect((await pendingWork(database.db, stage.now())).nonces).toEqual({ [`1002:${address}`]: 6 });
  });
});
