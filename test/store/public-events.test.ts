import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishCloseCalls } from '../../store/market/close-calls.ts';
import { placeListing } from '../../store/market/listings.ts';
import { cancelOrder, expireOrders } from '../../store/market/withdrawals.ts';
import { makeEventParts } from '../../store/records/event-parts.ts';
import { eventBounds, eventsAfter, forgetEvents, sequenceEvents } from '../../store/records/public-events.ts';
import { closeBatch, insertRecord, markAnchored } from '../../store/records/records.ts';
import { markSettled, unwindDeal } from '../fixtures/closings.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;
let seen = 0n;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());
beforeEach(() => told());

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1_000_000));

/** What was told since it was last asked, each by its kind and what stands in its body. */
async function told(): Promise<(readonly [string, Record<string, unknown>])[]> {
  await sequenceEvents(database.db);
  const events = await eventsAfter(database.db, seen, 10_000);
  expect(events.map((e) => e.id)).toEqual(events.map((_, i) => seen + BigInt(i) + 1n));
  seen += BigInt(events.length);
  return events.map(({ kind, body }) => [kind, body] as const);
}

const kinds = async () => (await told()).map(([kind]) => kind);
const after = (hour: number): Date => new Date(`2026-09-06T${hour}:00:00Z`);

describe('what the public is told', () => {
  it('of a listing and its lot is what the catalogue and the book show, and nothing of a floor', async () => {
    const ann = await stage.agent('ev-ann');
    const lot = await stage.list(ann, {
      listingRef: 'ev1',
      description: 'A scarf',
      ask: usd(100),
      floor: usd(66.66),
    });
    const both = await told();
    expect(both).toEqual([
      [
        'listing',
        {
          listingRef: 'ev1',
          lot,
          category: 'digital-products',
          chain: 'eip155:1002',
          live: true,
          seller: '0xaccount-of-ev-ann',
          asset: expect.objectContaining({ kind: 'token' }),
          description: 'A scarf',
          ask: '100000000',
          negotiable: true,
          featured: false,
          proven: true,
          listedAt: expect.any(String),
        },
      ],
      [
        'order-book',
        {
          lot,
          category: 'digital-products',
          chain: 'eip155:1002',
          open: true,
          price: '100000000',
          updatedAt: expect.any(String),
        },
      ],
    ]);
    expect(JSON.stringify(both)).not.toContain('6666');
  });

  it('is nothing when nothing public changed: a limit, a floor, a second look, a refusal', async () => {
    const lot = await stage.list(await stage.agent('ev-floor'), { listingRef: 'ev2', floor: usd(90) });
    await stage.order(await stage.agent(), lot, { limit: usd(40), openingBid: usd(10) });
    await told();
    // Moves a floor below the ask, which is private, and a limit that does not move the price to beat.
    stage.tick();
    await stage.order('ev-floor', lot, { side: 'sell', limit: usd(85), openingBid: null });
    await stage.order(await stage.agent(), lot, { limit: usd(9.99), openingBid: usd(5) });
    await stage.inTrx((trx) => placeListing(trx, 'ev2', false));
    const refused = stage.order(await stage.agent(), lot, {
      limit: usd(80),
      judge: () => {
        throw new Error('refused');
      },
    });
    await expect(refused).rejects.toThrow('refused');
    expect(await told()).toEqual([]);
  });

  it('of an order is the price to beat it leaves, once a transaction', async () => {
    const lot = await stage.list(await stage.agent(), {});
    const bob = await stage.agent();
    const { order } = await stage.order(bob, lot, {
      limit: usd(40),
      openingBid: usd(10),
      expiresAt: stage.later(60_000),
    });
    await told();
    // The overdue order leaves and the new one comes in one transaction: what lay between was never public.
    await stage.order(await stage.agent(), lot, {
      limit: usd(50),
      openingBid: usd(20),
      now: stage.later(120_000),
    });
    expect(order.status).toBe('resting');
    expect(await told()).toMatchObject([['order-book', { lot, price: '20000000', open: true }]]);
  });

  it('of a match is its price, that the listing left and that the book closed; of what it settles as, the transaction', async () => {
    const lot = await stage.list(await stage.agent(), { listingRef: 'ev3', ask: usd(100), floor: usd(80) });
    const second = await stage.agent();
    await stage.order(second, lot, { limit: usd(60), openingBid: usd(30) });
    await told();
    const { match } = await stage.order(await stage.agent(), lot, { limit: usd(90), openingBid: usd(35) });
    const events = await told();
    expect(events).toMatchObject([
      [
        'match',
        { matchId: match!.matchId, lot, price: '85000000', settledAt: null, tx: null, state: 'settling' },
      ],
      ['listing', { listingRef: 'ev3', live: false }],
      ['order-book', { lot, open: false }],
    ]);
    expect(events[1]?.[1]).not.toHaveProperty('ask');
    // Among the orders that rest on a closed lot there is a price too, which no public book shows.
    expect(events[2]?.[1]).not.toHaveProperty('price');
    await stage.inTrx((trx) =>
      markSettled(trx, { dealId: match!.dealId, tx: `0x${'9'.repeat(64)}`, block: 1n, now: stage.now() }),
    );
    expect(await told()).toMatchObject([
      [
        'match',
        {
          matchId: match!.matchId,
          settledAt: expect.any(String),
          tx: `0x${'9'.repeat(64)}`,
          state: 'settled',
        },
      ],
    ]);
  });

  it('of a deal that comes to nothing is that its match stopped and the lot is back', async () => {
    const lot = await stage.list(await stage.agent(), { listingRef: 'ev4', ask: usd(100), floor: usd(80) });
    const { match } = await stage.order(await stage.agent(), lot, { limit: usd(90) });
    await told();
    await stage.inTrx((trx) =>
      unwindDeal(trx, {
        dealId: match!.dealId,
        reason: 'private to its owners',
        orderId: stage.fresh('again'),
        ids: stage.ids(),
        allows: () => true,
        now: stage.now(),
      }),
    );
    const events = await told();
    expect(events).toMatchObject([
      ['match', { matchId: match!.matchId, state: 'stopped', settledAt: null }],
      ['listing', { listingRef: 'ev4', live: true }],
      ['order-book', { lot, open: true, price: '100000000' }],
    ]);
    expect(JSON.stringify(events)).not.toContain('private to its owners');
    // Whoever reads from the beginning is told at the first event of the match already.
    const all = (await eventsAfter(database.db, 0n, 10_000)).map(({ body }) => body);
    const states = all.filter(({ matchId }) => matchId === match!.matchId).map(({ state }) => state);
    expect(states).toEqual(['stopped', 'stopped']);
  });

  it('of a cancelled or expired order is the book without it, and of a paid placement the row', async () => {
    const lot = await stage.list(await stage.agent(), { listingRef: 'ev5' });
    const bob = await stage.agent();
    const { order } = await stage.order(bob, lot, { limit: usd(40), openingBid: usd(10) });
    await stage.inTrx((trx) => placeListing(trx, 'ev5', true));
    expect((await told()).slice(-1)).toMatchObject([['listing', { listingRef: 'ev5', featured: true }]]);
    await stage.inTrx((trx) =>
      cancelOrder(trx, { orderId: order.order_id, handle: bob, now: stage.later(3_000) }),
    );
    expect(await told()).toMatchObject([['order-book', { lot, price: '100000000' }]]);
    await expireOrders(database.db, stage.later(100 * 86_400_000));
    expect((await told()).filter(([, b]) => b.lot === lot)).toMatchObject([
      ['listing', { live: false }],
      ['order-book', { open: false }],
    ]);
  });

  it('of a close call is its lot and its hour', async () => {
    const lot = await stage.list(await stage.agent(), { ask: usd(100), expiresAt: stage.later(600_000) });
    await stage.order(await stage.agent(), lot, { limit: usd(96), expiresAt: stage.later(300_000) });
    await expireOrders(database.db, stage.later(600_000));
    await told();
    await publishCloseCalls(database.db, { now: after(14), newId: () => stage.fresh('call') });
    const calls = (await told()).filter(([, body]) => body.lot === lot);
    expect(calls).toEqual([
      [
        'close-call',
        {
          closeCallId: expect.stringMatching(/^call_/),
          lot,
          category: 'digital-products',
          chain: 'eip155:1002',
          hour: '2026-09-06T12:00:00+00:00',
        },
      ],
    ]);
  });

  it('of a record walks from inscribing to anchored, for each agent it names', async () => {
    const [ann, bob] = [await stage.agent(), await stage.agent()].sort() as [string, string];
    const record = {
      recordId: 'rec_1',
      kind: 'deal-settled',
      parties: [ann, bob],
      issuedAt: '2026-09-06T12:00:00Z',
    };
    await stage.inTrx((trx) =>
      insertRecord(trx, {
        record: { ...record, subject: 'a deal', summary: 'It settled.' } as never,
        hash: `0x${'1'.repeat(64)}`,
        signature: '0x1',
        evidence: { limit: 'private' },
        handle: null,
      }),
    );
    const first = await told();
    expect(first.map(([kind, b]) => [kind, b.handle, b.state])).toEqual([
      ['activity', ann, 'inscribing'],
      ['activity', bob, 'inscribing'],
    ]);
    expect(JSON.stringify(first)).not.toContain('private');
    const batch = (await closeBatch(database.db))!;
    expect((await told()).map(([, b]) => [b.state, b.tx])).toEqual([
      ['inscribed', null],
      ['inscribed', null],
    ]);
    await stage.inTrx((trx) =>
      markAnchored(trx, batch.batchId, { tx: `0x${'7'.repeat(64)}`, block: 7n, at: stage.now() }),
    );
    expect((await told()).map(([, b]) => [b.state, b.tx, b.batchId])).toEqual(
      [ann, bob].map(() => ['anchored', `0x${'7'.repeat(64)}`, String(batch.batchId)]),
    );
  });
});

describe('the numbers of events', () => {
  const write = (subject: string, before?: () => Promise<unknown>, fail = false) =>
    database.db.transaction().execute(async (trx) => {
      await sql`select tell('listing', ${subject}, '{}')`.execute(trx);
      await before?.();
      if (fail) throw new Error('rolled back');
    });

  it('never appear below one that was read, whatever commits last, and have no gaps where something was rolled back', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = write('slow', () => held);
    await write('quick');
    await expect(write('never', undefined, true)).rejects.toThrow('rolled back');
    await sequenceEvents(database.db);
    const [quick] = await eventsAfter(database.db, seen, 10);
    release();
    await slow;
    expect(quick?.id).toBe(seen + 1n);
    await sequenceEvents(database.db);
    const all = await eventsAfter(database.db, seen, 10);
    expect(all.map((e) => e.id)).toEqual([seen + 1n, seen + 2n]);
    expect(all[0]).toEqual(quick);
    await told();
  });

  it('are given once, however many processes give them', async () => {
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 8 }, (_, i) => write(`s${round}-${i}`)));
      await Promise.all(Array.from({ length: 4 }, () => sequenceEvents(database.db)));
    }
    expect(await kinds()).toHaveLength(80);
  });

  it('are one after another in a crowd of events, from wherever a reader goes on', async () => {
    const from = seen;
    await sql`select tell('listing', n::text, jsonb_build_object('n', n)) from generate_series(1, 250) n`.execute(
      database.db,
    );
    expect((await told()).map(([, body]) => body.n)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    for (const [after, limit] of [
      [0, 10],
      [99, 2],
      [100, 150],
      [203, 500],
      [250, 5],
    ] as const) {
      const got = await eventsAfter(database.db, from + BigInt(after), limit);
      const numbers = Array.from({ length: Math.min(limit, 250 - after) }, (_, i) => after + i + 1);
      expect(got.map(({ id, body }) => [Number(id - from), body.n])).toEqual(numbers.map((n) => [n, n]));
    }
  });

  it('go on where they stood when all that was told has been forgotten', async () => {
    await write('old');
    await told();
    const { last } = await eventBounds(database.db);
    expect(last).toBe(seen);
    expect(await forgetEvents(database.db, new Date(Date.now() - 3_600_000))).toBe(0);
    expect(await forgetEvents(database.db, new Date(Date.now() + 1_000))).toBe(Number(last));
    expect(await eventBounds(database.db)).toEqual({ oldest: last + 1n, last });
    await write('new');
    expect(await kinds()).toEqual(['listing']);
    expect(await eventBounds(database.db)).toEqual({ oldest: last + 1n, last: last + 1n });
  });

  it('stand in parts of their table: made ahead or afterwards, and dropped whole once nothing in them is told', async () => {
    const millionth = 1_000_000n;
    const ids = async () => (await eventsAfter(database.db, 0n, 10_000)).map(({ id }) => id);
    const partsOf = async () => {
      const { rows } = await sql<{ part: string; rows: number }>`
        select tableoid::regclass::text as part, count(*)::int as rows from public_events group by 1 order by 1`.execute(
        database.db,
      );
      return Object.fromEntries(rows.map(({ part, rows: n }) => [part, n]));
    };
    await forgetEvents(database.db, new Date(Date.now() + 1_000));
    await database.db
      .updateTable('event_counter')
      .set({ last: millionth - 2n })
      .execute();
    await write('before');
    await sequenceEvents(database.db);
    await sql`select tell('listing', n::text, '{}') from generate_series(1, 3) n`.execute(database.db);
    await sequenceEvents(database.db);
    expect(await ids()).toEqual([-1n, 0n, 1n, 2n].map((n) => millionth + n));
    // The part of the second row was not made yet.
    expect(await partsOf()).toEqual({ public_events_0: 1, public_events_default: 1 });
    await makeEventParts(database.db);
    await makeEventParts(database.db);
    expect(await partsOf()).toEqual({ public_events_0: 1, public_events_1000000: 1 });
    expect(await ids()).toEqual([-1n, 0n, 1n, 2n].map((n) => millionth + n));

    await database.db
      .updateTable('public_events')
      .set({ told_at: new Date(0) })
      .where('first_id', '<', millionth)
      .execute();
    expect(await forgetEvents(database.db, new Date(Date.now() - 3_600_000))).toBe(1);
    const { rows } = await sql`select to_regclass('public_events_0') as part`.execute(database.db);
    expect(rows).toEqual([{ part: null }]);
    expect(await eventBounds(database.db)).toEqual({ oldest: millionth, last: millionth + 2n });
    seen = millionth + 2n;
    await write('after');
    expect(await kinds()).toEqual(['listing']);
  });
});
