import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentLogRoutes } from '../../api/agent/agent-log.ts';
import { agentSessionRoutes } from '../../api/agent/agent-session.ts';
import { dealRoutes } from '../../api/deal/deals.ts';
import type { App, Request } from '../../api/http/app.ts';
import type { RequireOwner } from '../../api/http/auth/owner-signature.ts';
import { ownOrderRoutes } from '../../api/market/own-orders.ts';
import { webhookSubscriptionRoutes } from '../../api/webhooks/webhook-subscriptions.ts';
import { seedKeys } from '../../chain/keys/seeds.ts';
import type { Services } from '../../runtime/services.ts';
import { secretBoxOf } from '../../runtime/webhooks/secret-box.ts';
import { BASE_URL, plainRoutes, server } from '../conformance/api/server-fixture.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { expectWholeWalks, type Rows, reading } from '../fixtures/walking.ts';
import '../fixtures/seeded.ts';

/** Lists that owners sign for, walked by their cursor while others write, and while what is old is forgotten. */

const OWNER = `0x${'0e'.repeat(20)}` as const;
const START = new Date('2026-09-06T12:00:00Z').getTime();

let database: TestDatabase;
let stage: MarketStage;
let app: App;
let runs = 0;
/** How often somebody was asked to sign. */
let asked = 0;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
  // Of the service's parts the lists need the database, the seal, and a chain that tells whose an agent is.
  const onChain = {
    ownerOf: OWNER,
    mandates: { pausedByOwner: false, pausedByGuardian: false },
  } as const;
  const viem = {
    head: async () => ({ number: 1n }),
    code: async () => '0x',
    read: async ({ functionName }: { functionName: string }) =>
      onChain[functionName as keyof typeof onChain] ?? 0n,
  };
  const services = {
    db: database.db,
    config: { baseUrl: BASE_URL, rpcUrls: { 1002: [], 84532: [] } },
    home: { chainId: 1002, deployment: {}, readers: { viem } },
    now: () => stage.now(),
    cursorSecretBox: secretBoxOf(seedKeys(`0x${'5e'.repeat(32)}`), 'test'),
  } as unknown as Services;
  const signed = (async (request: Request) => {
    asked++;
    request.signedBy = OWNER;
  }) as unknown as RequireOwner;
  app = await server({
    db: database.db,
    limits: { reads: 1_000_000, writes: 1_000_000 },
    routes: [
      ...plainRoutes,
      (a) => ownOrderRoutes(a, services, signed),
      (a) => dealRoutes(a, services, signed),
      (a) => agentLogRoutes(a, services, signed),
      (a) => agentSessionRoutes(a, services, signed),
      (a) => webhookSubscriptionRoutes(a, services, signed),
    ],
  });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const get = reading(() => app);
/** Names that lie in no order of time. */
const named = (prefix: string, run: number, n: number): string => `${prefix}_${run}_${(n * 7919) % 1000}`;

/** An order on the one listing of this run. */
async function anOrder(order_id: string, handle: string, asset_key: string, side: 'buy' | 'sell') {
  const { listing_ref } = await database.db
    .selectFrom('listings')
    .select('listing_ref')
    .where('asset_key', '=', asset_key)
    .executeTakeFirstOrThrow();
  const at = new Date(START);
  await database.db
    .insertInto('orders')
    .values({
      order_id,
      handle,
      owner: OWNER,
      side,
      asset_key,
      listing_ref,
      category: 'digital-products',
      limit_price: 1_000_000n,
      opening_bid: null,
      status: 'expired',
      created_at: at,
      expires_at: at,
      left_at: at,
    })
    .execute();
}

const LISTS: Record<string, () => Promise<Rows>> = {
  orders: async () => {
    const run = ++runs;
    const handle = await stage.agent();
    const lot = await stage.list(await stage.agent());
    return {
      path: `/agent/${handle}/orders?`,
      id: 'orderId',
      async add(n) {
        const orderId = named('ord', run, n);
        await anOrder(orderId, handle, lot, 'buy');
        return orderId;
      },
      touch: (name) =>
        database.db
          .updateTable('orders')
          .set({ status: 'cancelled', left_at: new Date(START + 1_000) })
          .where('order_id', '=', name)
          .execute(),
    };
  },
  deals: async () => {
    const run = ++runs;
    const [handle, other] = [await stage.agent(), await stage.agent()];
    const lot = await stage.list(other);
    return {
      path: `/agent/${handle}/deals?`,
      id: 'dealId',
      async add(n) {
        const deal_id = named('deal', run, n);
        const match_id = named('match', run, n);
        // On either side of it.
        const [buyer, seller] = n % 2 === 0 ? [handle, other] : [other, handle];
        const [sell_order, buy_order] = [`${deal_id}-sell`, `${deal_id}-buy`];
        await anOrder(sell_order, seller, lot, 'sell');
        await anOrder(buy_order, buyer, lot, 'buy');
        const of = { asset_key: lot, category: 'digital-products', chain: 'eip155:1002', price: 1_000_000n };
        const owners = { seller_owner: '0xseller', buyer_owner: '0xbuyer' };
        const orders = { sell_order, buy_order, ...owners, settled_at: null, tx: null };
        await database.db
          .insertInto('matches')
          .values({ match_id, deal_id, ...of, ...orders })
          .execute();
        await database.db
          .insertInto('deals')
          .values({
            deal_id,
            match_id,
            seller,
            buyer,
            price: 1_000_000n,
            fee: 0n,
            state: 'determining',
            deadline: null,
            tx: null,
            reason: null,
          })
          .execute();
        return deal_id;
      },
      touch: (name) =>
        database.db
          .updateTable('deals')
          .set({ state: 'stopped', updated_at: new Date(START + 1_000) })
          .where('deal_id', '=', name)
          .execute(),
    };
  },
  log: async () => {
    const run = ++runs;
    const handle = await stage.agent();
    return {
      path: `/agent/${handle}/log?`,
      id: 'says',
      async add(n) {
        const says = named('said', run, n);
        const about = { topic: 't', mark: String(n), action: 'rest', lot: null, listing_ref: null };
        await database.db
          .insertInto('agent_log')
          .values({
            entry_id: named('log', run, n),
            handle,
            owner: OWNER,
            ...about,
            order_id: null,
            says,
            figures: '{}',
            at: new Date(START),
          })
          .execute();
        return says;
      },
      // Only so much is kept of an agent.
      async touch(says) {
        await database.db.deleteFrom('agent_log').where('says', '=', says).execute();
        return 'gone';
      },
    };
  },
  acts: async () => {
    const run = ++runs;
    const handle = await stage.agent();
    return {
      path: `/agent/${handle}/acts?`,
      id: 'actId',
      async add(n) {
        const id = named('act', run, n);
        // Several of one moment.
        const at = new Date(START + Math.floor(n / 3) * 1_000);
        await database.db
          .insertInto('owner_acts')
          .values({
            id,
            handle,
            kind: 'pause',
            owner: OWNER,
            beneficial_owner: OWNER,
            epoch: 1,
            nonce: BigInt(n),
            since_block: 1n,
            deadline: at,
            version: null,
            detail: '{}',
            signatures: null,
            status: 'done',
            reason: null,
            tx: null,
            created_at: at,
            updated_at: at,
          })
          .execute();
        return id;
      },
      touch: (id) =>
        database.db
          .updateTable('owner_acts')
          .set({ status: 'failed', updated_at: new Date(START + 3_600_000) })
          .where('id', '=', id)
          .execute(),
    };
  },
  deliveries: async () => {
    const run = ++runs;
    const subscription_id = `whs_${run}`;
    const at = new Date(START);
    const terms = { url: 'https://x.test/', kinds: [], secret: '', failing_since: null, reason: null };
    await database.db
      .insertInto('webhook_subscriptions')
      .values({ id: subscription_id, wallet: OWNER, beneficial_owner: OWNER, ...terms, created_at: at })
      .execute();
    return {
      path: `/webhooks/subscriptions/${subscription_id}/deliveries?`,
      id: 'webhookId',
      async add(n) {
        const id = named('msg', run, n);
        const sent = { answered: 200, error: null, created_at: at, finished_at: at };
        await database.db
          .insertInto('webhook_deliveries')
          .values({ id, subscription_id, kind: 'deal.settled', body: '{}', next_attempt_at: at, ...sent })
          .execute();
        return id;
      },
      // What was delivered is forgotten after a while.
      async touch(id) {
        await database.db.deleteFrom('webhook_deliveries').where('id', '=', id).execute();
        return 'gone';
      },
    };
  },
};

describe.each(Object.keys(LISTS))('walking an owner’s %s', (list) => {
  it('shows what stood all along once and nothing twice, whatever is written and forgotten meanwhile', () =>
    expectWholeWalks(get, LISTS[list]!));

  it('refuses a cursor of another list, of another agent, of nobody’s and one beside an offset, before anybody signs', async () => {
    const of = await LISTS[list]!();
    for (let n = 0; n < 3; n++) await of.add(n);
    const { next } = (await get(`${of.path}limit=1`)).body;
    const others = await Promise.all(
      Object.entries(LISTS).map(async ([, make]) => {
        const rows = await make();
        for (let n = 0; n < 2; n++) await rows.add(n);
        return (await get(`${rows.path}limit=1`)).body.next;
      }),
    );
    const before = asked;
    const changed = `${next.slice(0, -4)}${next.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    for (const cursor of ['', 'a b', 'x'.repeat(60), 'x'.repeat(2_000), changed, ...others])
      expect(await get(`${of.path}limit=1&cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'bad-request', errors: [{ path: 'cursor' }] },
      });
    expect(await get(`${of.path}limit=1&offset=1&cursor=${next}`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'offset' }] },
    });
    const [, ofOne] = /^(\/agent\/[^/]+\/)/.exec(of.path) ?? [];
    for (const other of Object.keys(LISTS).filter((o) => ofOne && ![list, 'deliveries'].includes(o)))
      expect(await get(`${ofOne}${other}?cursor=${next}`)).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'cursor' }] },
      });
    expect(asked).toBe(before);
    expect((await get(`${of.path}limit=1&cursor=${next}`)).status).toBe(200);
  });

  it('gives out cursors that tell nothing of the others, and no two alike', async () => {
    const of = await LISTS[list]!();
    for (let n = 0; n < 2; n++) await of.add(n);
    const [one, two] = [await get(`${of.path}limit=1`), await get(`${of.path}limit=1`)];
    expect(Buffer.from(one.body.next, 'base64url').toString('latin1')).not.toContain(list);
    expect(one.body.next).not.toBe(two.body.next);
  });

  it('still goes on by offset', async () => {
    const of = await LISTS[list]!();
    for (let n = 0; n < 3; n++) await of.add(n);
    const all = (await get(`${of.path}limit=3`)).body;
    const second = (await get(`${of.path}limit=1&offset=1`)).body;
    expect(all.next).toBeUndefined();
    expect([second.items, second.offset]).toEqual([[all.items[1]], 1]);
  });
});
