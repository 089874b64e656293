import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BY_ITSELF } from '../../agents/agent/order-id.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { tellMarket } from '../../runtime/market/tell-market.ts';
import type { Services } from '../../runtime/services.ts';
import type { Trx } from '../../store/database.ts';
import { cancelOrder, expireOrders } from '../../store/market/withdrawals.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { pausesOver, quietQuarantine } from '../fixtures/quiet-quarantine.ts';

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.deleteFrom('mailbox').execute();
  // What an earlier test left concerns nobody here.
  await database.db.updateTable('agents').set({ status: 'paused' }).execute();
  await database.db.updateTable('listings').set({ status: 'dropped' }).execute();
  await database.db.deleteFrom('market_changes').execute();
});

const usd = (dollars: number): bigint => BigInt(dollars) * 1_000_000n;

const services = (over: Partial<Services> = {}, watchSeconds = 3_600): Services =>
  ({
    db: database.db,
    quarantine: quietQuarantine(database.db),
    config: { watchSeconds },
    notifier: { actor() {} },
    now: stage.now,
    ...over,
  }) as unknown as Services;

/** Of a mandate, what differs; undefined: without it. */
type Terms = { readonly [Term in keyof Mandate]?: Mandate[Term] | undefined };

/** An agent with a mandate to buy in the category of the stage's lots, up to a thousand dollars. */
async function buyer(terms: Terms = {}, owner?: string): Promise<string> {
  const handle = await stage.agent(undefined, owner);
  await mandated(handle, terms);
  return handle;
}

async function mandated(handle: string, terms: Terms, version = 1): Promise<void> {
  const structured = {
    side: 'buy',
    currency: 'USDC',
    cap_per_deal: '1000',
    categories_allow: ['digital-products'],
    expires_at: '2027-01-01T00:00:00Z',
    ...terms,
  };
  await database.db
    .insertInto('mandates')
    .values({
      ...{ handle, version, text: '', structured: JSON.stringify(structured), hash: '0x', status: 'active' },
      ...{ tx: null, created_at: stage.now() },
    })
    .execute();
}

/** Tells what has changed. @returns by agent, the lots that it was told of; 'all' for the whole market */
async function told(over: Services = services()): Promise<Record<string, unknown>> {
  await database.db.deleteFrom('mailbox').execute();
  await tellMarket(over);
  return await delivered();
}

async function delivered(): Promise<Record<string, unknown>> {
  const rows = await database.db.selectFrom('mailbox').select(['actor_id', 'event']).execute();
  return Object.fromEntries(
    rows.map(({ actor_id, event }) => [
      actor_id.slice('agent:'.length),
      (event as unknown as { lots: unknown }).lots ?? 'all',
    ]),
  );
}

const setListing = (lot: string, set: { ask?: bigint; status?: 'live' | 'dropped' }) =>
  database.db.updateTable('listings').set(set).where('asset_key', '=', lot).execute();

describe('a lot that is listed', () => {
  it('concerns the agents that may buy it by their mandates, and nobody else', async () => {
    const seller = await buyer();
    const may = [
      await buyer(),
      await buyer({ side: 'both', chains_allow: ['base', 'eip155:1002'] }),
      await buyer({ cap_per_deal: '60' }),
    ];
    const any = await stage.agent();
    await mandated(any, { categories_allow: undefined, cap_per_deal: undefined });
    await buyer({ categories_allow: ['real-world-assets'] });
    await buyer({ categories_deny: ['digital-products'] });
    await buyer({ chains_allow: ['base'] });
    await buyer({ chains_deny: ['eip155:1002'] });
    await buyer({ cap_per_week: '59.99' });
    await buyer({ side: 'sell' });
    await stage.setStatus(await buyer(), 'paused');
    const executor = await buyer();
    await database.db
      .updateTable('agents')
      .set({ tier: 'EXECUTOR' })
      .where('handle', '=', executor)
      .execute();
    const lot = await stage.list(seller, { ask: usd(100) });
    expect(await told()).toEqual(Object.fromEntries([...may, any].map((handle) => [handle, [lot]])));
    expect(await told()).toEqual({});
  });

  it('concerns an agent as soon as its mandate or its status allows it, and no longer', async () => {
    const [seller, ann] = [await stage.agent(), await buyer({ cap_per_deal: '10' })];
    await stage.list(seller);
    expect(await told()).toEqual({});
    await database.db
      .updateTable('mandates')
      .set({ status: 'superseded' })
      .where('handle', '=', ann)
      .execute();
    await mandated(ann, {}, 2);
    const second = await stage.list(seller);
    expect(await told()).toEqual({ [ann]: [second] });
    await stage.setStatus(ann, 'paused');
    await stage.list(seller);
    expect(await told()).toEqual({});
    await stage.setStatus(ann, 'active');
    const last = await stage.list(seller);
    expect(await told()).toEqual({ [ann]: [last] });
  });

  it('concerns again whoever may buy it when its price changes, and whoever bids on it when it is gone', async () => {
    const [seller, poor, ann] = [await stage.agent(), await buyer({ cap_per_deal: '30' }), await buyer()];
    const bidder = await stage.agent();
    const lot = await stage.list(seller, { ask: usd(100) });
    expect(await told()).toEqual({ [ann]: [lot] });
    await setListing(lot, { ask: usd(50) });
    expect(await told()).toEqual({ [ann]: [lot], [poor]: [lot] });
    await setListing(lot, { ask: usd(50) });
    expect(await told()).toEqual({});
    await stage.order(bidder, lot, { limit: usd(20) });
    await told();
    await setListing(lot, { status: 'dropped' });
    expect(await told()).toEqual({ [bidder]: [lot] });
  });

  it('that is a name concerns no agent', async () => {
    const [seller] = [await stage.agent(), await buyer()];
    await stage.list(seller, { asset: { kind: 'serial', serialKind: 'name', serial: 'ann.eth' } });
    expect(await told()).toEqual({});
  });
});

describe('an order', () => {
  it('concerns the others that have one on its lot; one that an agent placed by itself does not', async () => {
    const [seller, first, second, other] = [
      await stage.agent(),
      await stage.agent(),
      await stage.agent(),
      await stage.agent(),
    ];
    const [lot, elsewhere] = [await stage.list(seller), await stage.list(seller)];
    await stage.order(other, elsewhere);
    await stage.order(first, lot);
    await told();
    const { order } = await stage.order(second, lot, { limit: usd(40) });
    expect(await told()).toEqual({ [first]: [lot], [seller]: [lot] });
    stage.tick();
    await stage.inTrx((trx) =>
      cancelOrder(trx, { orderId: order.order_id, handle: second, now: stage.now() }),
    );
    // Its own cap is free, so it looks at everything.
    expect(await told()).toEqual({ [first]: [lot], [seller]: [lot], [second]: 'all' });
    await stage.order(other, lot, { orderId: `${BY_ITSELF}1`, limit: usd(45) });
    expect(await told()).toEqual({});
  });

  it('that leaves concerns the other agents of its owner that may buy the lot', async () => {
    const owner = '0xowner-of-a-family';
    const seller = await stage.agent();
    const [first, sibling] = [await stage.agent(undefined, owner), await buyer({}, owner)];
    // An account of the family's owner owns this one.
    const behind = await buyer({}, '0xaccount-of-the-family');
    await database.db
      .insertInto('beneficial_owners')
      .values({ owner: '0xaccount-of-the-family', beneficial_owner: owner, seen_at: stage.now() })
      .execute();
    await buyer({ categories_allow: ['real-world-assets'] }, owner);
    const lot = await stage.list(seller);
    const orderId = `${BY_ITSELF}2`;
    await stage.order(first, lot, { owner, orderId });
    await buyer();
    await told();
    stage.tick();
    await stage.inTrx((trx) => cancelOrder(trx, { orderId, handle: first, now: stage.now() }));
    expect(await told()).toEqual({ [first]: 'all', [sibling]: [lot], [behind]: [lot] });
  });

  it('that ends in time frees a cap of its agent', async () => {
    const [seller, bidder] = [await stage.agent(), await stage.agent()];
    const lot = await stage.list(seller);
    await stage.order(bidder, lot, { expiresAt: stage.later(60_000) });
    await told();
    stage.tick(61_000);
    await expireOrders(database.db, stage.now());
    expect(await told()).toEqual({ [seller]: [lot], [bidder]: 'all' });
  });
});

describe('a sale that settles', () => {
  it('concerns whoever may buy, bids on or sells a lot of its kind', async () => {
    const [seller, bidder, winner] = [await stage.agent(), await stage.agent(), await stage.agent()];
    const other = { kind: 'token', chainId: 1002, contract: `0x${'b'.repeat(40)}`, tokenId: '1' } as const;
    const [sold, alike] = [await stage.list(seller), await stage.list(seller)];
    await stage.list(seller, { asset: other });
    await stage.order(bidder, alike, { limit: usd(20) });
    const { match } = await stage.order(winner, sold, { limit: usd(100) });
    if (match === null) throw new Error('they did not match');
    await told();
    const ann = await buyer();
    await buyer({ cap_per_deal: '10' });
    const settle = (settled_at: Date | null) =>
      database.db.updateTable('matches').set({ settled_at }).where('match_id', '=', match.matchId).execute();
    await settle(stage.tick());
    expect(await told()).toEqual({ [ann]: [alike], [bidder]: [alike], [seller]: [alike] });
    // A chain that goes back takes it away again.
    await settle(null);
    expect(await told()).toEqual({ [ann]: [alike], [bidder]: [alike], [seller]: [alike] });
  });

  it('names the cheapest of many alike, and tells whoever sells many to look at all', async () => {
    const [seller, winner] = [await stage.agent(), await stage.agent()];
    const sold = await stage.list(seller);
    const alike: string[] = [];
    for (let i = 0; i < 21; i++) alike.push(await stage.list(seller, { ask: usd(100 - i) }));
    const { match } = await stage.order(winner, sold, { limit: usd(100) });
    await told();
    const ann = await buyer();
    await database.db
      .updateTable('matches')
      .set({ settled_at: stage.tick() })
      .where('match_id', '=', match?.matchId ?? '')
      .execute();
    expect(await told()).toEqual({ [ann]: alike.slice(1).sort(), [seller]: 'all' });
  });
});

describe('a change', () => {
  it('is kept until it was told: a process that ends before its transaction has, loses nothing', async () => {
    const [seller, ann] = [await stage.agent(), await buyer()];
    const lot = await stage.list(seller);
    let delivers = 0;
    const ends = (): never => {
      throw new Error('the process has ended');
    };
    const ending = {
      selectFrom: ends,
      transaction: () => ({
        execute: (act: (trx: Trx) => Promise<unknown>) =>
          database.db.transaction().execute(async (trx) => {
            await act(trx);
            const { n } = await trx
              .selectFrom('mailbox')
              .select((eb) => eb.fn.countAll<bigint>().as('n'))
              .executeTakeFirstOrThrow();
            delivers = Number(n);
            ends();
          }),
      }),
    };
    await expect(tellMarket(services({ db: ending as never }))).rejects.toThrow('has ended');
    expect([delivers, await delivered()]).toEqual([1, {}]);
    expect(await told()).toEqual({ [ann]: [lot] });
  });

  it('reaches the others when one agent cannot be told, and that one later', async () => {
    const [seller, ann, bob] = [await stage.agent(), await buyer(), await buyer()];
    const lot = await stage.list(seller);
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'no mailbox'; end $$`.execute(database.db);
    await sql`create trigger refused before insert on mailbox for each row
      when (new.actor_id = ${sql.lit(`agent:${ann}`)}) execute function refuse()`.execute(database.db);
    expect(await told()).toEqual({ [bob]: [lot] });
    await sql`drop trigger refused on mailbox`.execute(database.db);
    await pausesOver(database.db);
    // More may have changed meanwhile.
    expect(await told()).toEqual({ [ann]: 'all' });
  });

  it('of a transaction that commits after a later one is told all the same', async () => {
    const [seller, ann] = [await stage.agent(), await buyer()];
    const [first, second] = [stage.asset(), stage.asset()];
    let go = (): void => {};
    const waits = new Promise<void>((resolve) => {
      go = resolve;
    });
    const other = await stage.list(seller, { asset: first });
    await told();
    let noted = (): void => {};
    const isNoted = new Promise<void>((resolve) => {
      noted = resolve;
    });
    const slow = database.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('listings')
        .set({ ask: usd(90) })
        .where('asset_key', '=', other)
        .execute();
      noted();
      await waits;
    });
    await isNoted;
    const lot = await stage.list(seller, { asset: second });
    expect(await told()).toEqual({ [ann]: [lot] });
    go();
    await slow;
    expect(await told()).toEqual({ [ann]: [other] });
  });

  it('is forgotten where agents do nothing by themselves', async () => {
    await buyer();
    await stage.list(await stage.agent());
    expect(await told(services({}, 0))).toEqual({});
    expect(await told()).toEqual({});
  });
});
