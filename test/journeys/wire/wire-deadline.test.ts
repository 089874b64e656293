import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App, Request } from '../../../api/http/app.ts';
import { subrequest } from '../../../api/http/subrequests.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { server } from '../../conformance/api/server-fixture.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';
import {
  expectProblem,
  TRADES,
  type WireAgent,
  type WireListing,
  type WireStage,
  wireStage,
} from './wire-stage.ts';

describe('the last call of a transaction', () => {
  /** Even a busy machine reaches the last call within this time. */
  const LIMIT_MS = 1_500;
  const LONGER = (LIMIT_MS + 250) / 1000;
  let database: TestDatabase;
  let app: App;

  beforeAll(async () => {
    database = await testDatabase();
    const write = async (request: Request, before: number, after: number) => {
      await database.db.transaction().execute(async (trx) => {
        const wallet = `0x${request.url.length}`;
        await trx
          .insertInto('owner_settings')
          .values({ wallet, beneficial_owner: wallet, on_flagged: 'ask' })
          .execute();
        await sql`select pg_sleep(${before})`.execute(trx);
        request.lastCall();
        await sql`select pg_sleep(${after})`.execute(trx);
      });
      return { written: true };
    };
    app = await server({
      handlerTimeoutMs: LIMIT_MS,
      routes: [
        (a) => {
          a.post('/late', (request) => write(request as Request, LONGER, 0));
          a.post('/in-time', (request) => write(request as Request, 0, LONGER));
          // Its own time began earlier, as that of a tool's call does while its message is read.
          const through = async (request: Request, url: string, earlierMs: number) => {
            await sleep(earlierMs);
            const sent = { method: 'POST' as const, url };
            const answer = await subrequest(a, request, sent, false);
            return answer.json();
          };
          a.post('/late-through', (request) => through(request as Request, '/nearly-late', 750));
          a.post('/nearly-late', (request) => write(request as Request, (LIMIT_MS - 250) / 1000, 0));
          a.post('/in-time-through', (request) => through(request as Request, '/in-time', 0));
        },
      ],
    });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });
  const written = async () =>
    (await database.db.selectFrom('owner_settings').select('wallet').execute()).map((r) => r.wallet);

  it('undoes what a caller was told had timed out', async () => {
    const response = await app.inject({ method: 'POST', url: '/late' });
    expect({ status: response.statusCode, code: response.json().code }).toEqual({
      status: 503,
      code: 'timeout',
    });
    await idle(database.db);
    expect(await written()).toEqual([]);
  });

  it('stops the clock: what is then committed is reported as done, however long the commit takes', async () => {
    const response = await app.inject({ method: 'POST', url: '/in-time' });
    expect({ status: response.statusCode, body: response.json() }).toEqual({
      status: 200,
      body: { written: true },
    });
    expect(await written()).toHaveLength(1);
  });

  it('undoes what a request did for another one whose caller was told so', async () => {
    const before = await written();
    const response = await app.inject({ method: 'POST', url: '/late-through' });
    expect({ status: response.statusCode, code: response.json().code }).toEqual({
      status: 503,
      code: 'timeout',
    });
    await idle(database.db);
    expect(await written()).toEqual(before);
  });

  it('stops the clock of the request that it is made for, too', async () => {
    await database.db.deleteFrom('owner_settings').execute();
    const response = await app.inject({ method: 'POST', url: '/in-time-through' });
    expect({ status: response.statusCode, body: response.json() }).toEqual({
      status: 200,
      body: { written: true },
    });
    expect(await written()).toHaveLength(1);
  });
});

describe('a service whose database blocks every write', () => {
  let stage: WireStage;
  let seller: PrivateKeyAccount;
  let buyer: PrivateKeyAccount;
  let sells: WireAgent;
  let buys: WireAgent;
  let lot: WireListing;

  beforeAll(async () => {
    stage = await wireStage();
    [seller, buyer] = await Promise.all([stage.owner(), stage.owner()]);
    [sells, buys] = await Promise.all([stage.agent(seller), stage.agent(buyer)]);
    await stage.moveUsd(buyer, buys.account, '500');
    lot = await stage.listed(seller, sells);
  });
  afterAll(() => stage.stop());

  it('answers 503 in time, and nothing that was requested is ever written', async () => {
    const { api, db } = stage;
    const [loose, pledged] = [await stage.mintTo(seller.address), await stage.mintTo(seller.address)];
    await stage.approve(seller, loose);
    const order = {
      handle: buys.handle,
      side: 'buy',
      listingRef: lot.listingRef,
      category: 'digital-products',
    };
    const resting = await api.signedPost(buyer, '/order', { ...order, limitUsd: 20 });
    expect(resting.status).toBe(201);
    // An order cannot be cancelled at once.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const before = await snapshot(db);

    const answers = await db.transaction().execute(async (trx) => {
      // Reads continue; every write waits here for longer than a statement waits for a lock.
      await sql`lock table lots, orders, listings, pledges, owner_settings, checkouts in share mode`.execute(
        trx,
      );
      return await Promise.all([
        api.signedPost(buyer, '/order', { ...order, limitUsd: 100 }),
        api.signedPost(buyer, `/order/${resting.body.orderId}/cancel`, { handle: buys.handle }),
        api.signedPost(seller, `/agent/${sells.handle}/assets`, {
          asset: { contract: loose.contract, tokenId: loose.tokenId },
          description: 'Too late',
          askUsd: 5,
          negotiable: false,
          category: 'digital-products',
          gate: 'owner-signed',
        }),
        api.signedPost(seller, '/pledge', {
          wallet: seller.address,
          asset: { contract: pledged.contract, tokenId: pledged.tokenId },
          listingRef: 'too-late',
        }),
        api.post('/agent/checkout', {
          owner: buyer.address,
          handle: 'too-late',
          mandate: TRADES,
          tier: 'AGENT',
        }),
      ]);
    });
    for (const answer of answers) {
      expectProblem(answer, 503, 'unavailable');
      expect(answer.headers.get('retry-after')).toBe('2');
    }
    await idle(db);
    await until('the handle to be free again', async () => {
      const held = await db
        .selectFrom('checkouts')
        .select('status')
        .where('handle', '=', 'too-late')
        .execute();
      return held.some((c) => c.status === 'awaiting-payment') ? null : held;
    });
    expect(await snapshot(db)).toEqual(before);
    const retried = await api.post('/agent/checkout', {
      owner: buyer.address,
      handle: 'too-late',
      mandate: TRADES,
      tier: 'AGENT',
    });
    expect(retried.status).toBe(201);
    expect((await api.signedPost(buyer, '/order', { ...order, limitUsd: 100 })).body.status).toBe('matched');
  }, 120_000);
});

// biome-ignore lint/suspicious/noExplicitAny: any database will do
type AnyDatabase = Kysely<any>;

/** Waits until no other connection is inside a transaction, so that everything was committed or rolled back. */
async function idle(db: AnyDatabase): Promise<void> {
  await until('the transactions to end', async () => {
    const { rows } = await sql<{ n: bigint }>`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`.execute(db);
    return rows[0]!.n === 0n ? true : null;
  });
}

async function snapshot(db: AnyDatabase): Promise<unknown> {
  const rows = async (table: string, columns: string[]) =>
    db.selectFrom(table).select(columns).orderBy(columns[0]!).execute();
  return {
    orders: await rows('orders', ['order_id', 'status', 'limit_price']),
    listings: await rows('listings', ['listing_ref', 'status']),
    pledges: await rows('pledges', ['id', 'released_at']),
    lots: await rows('lots', ['asset_key', 'price_to_beat', 'open']),
    deals: await rows('deals', ['deal_id', 'state']),
    reservations: await rows('reservations', ['order_id', 'state', 'amount']),
  };
}
