import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StopCause } from '../../agents/deal/stop-causes.ts';
import { judgeOnBook } from '../../runtime/market/orders/judge-placing.ts';
import { adoptMandate, proposeMandate } from '../../store/agent/mandates.ts';
import { ownersWords } from '../../store/agent/owners-word.ts';
import { heldBy } from '../../store/agent/reservations.ts';
import { soldBy } from '../../store/agent/sales.ts';
import { keepSettings } from '../../store/agent/settings.ts';
import type { Database } from '../../store/database.ts';
import { lastBookedBlock } from '../../store/deal/booked-blocks.ts';
import { findDeal, loadDeal } from '../../store/deal/deals.ts';
import {
  dueActors,
  insertActor,
  insertMessage,
  insertMessages,
  noteFailure,
} from '../../store/durable/actors.ts';
import { readActors, saveBatches } from '../../store/durable/mailbox-batches.ts';
import {
  claimEffects,
  closeEffects,
  extendLease,
  overdueWork,
  waitingEffects,
} from '../../store/durable/outbox.ts';
import { fireDueTimers } from '../../store/durable/timers.ts';
import { becomeUnfunded, moneyInFlight, restFunded } from '../../store/market/funding.ts';
import { lockLot, refreshLot } from '../../store/market/lots.ts';
import { type OrderSnapshot, readOrderSnapshot } from '../../store/market/order-context.ts';
import { findOrder } from '../../store/market/orders.ts';
import { writeOrder } from '../../store/market/place-order.ts';
import { cancelOrder, expireOrders, withdrawOrders } from '../../store/market/withdrawals.ts';
import { markSettled, unwindDeal } from '../fixtures/closings.ts';
import { marketStage, unlessStopped } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { plainHolder } from '../fixtures/wallets/plain-holder.ts';
import { MemoryServer } from './memory/memory-database.ts';

/**
 * The simulator's store is only useful if it behaves like Postgres: the same calls must give the same answers and rows.
 */

let real: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  real = await testDatabase();
});
afterAll(() => real.drop());

const RUNS = 25;
let runs = 0;

/** Makes values comparable, whatever numbers a sequence gave out and whatever names a run used. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, v) => {
      if (v instanceof Set) return [...v].sort();
      if (key === 'seq' || key === 'updated_at') return undefined;
      return typeof v === 'bigint' ? `${v}n` : v;
    }),
  );
}

async function outcome(act: () => Promise<unknown>): Promise<unknown> {
  try {
    return { done: plain(await act()) };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { code: code ?? message };
  }
}

const START = Date.parse('2026-09-06T12:00:00Z');

/**
 * One step of the durable mechanism. `n` chooses among the existing rows; `wrong` acts like a caller that is too late.
 */
const step = fc.record({
  do: fc.constantFrom(
    'message',
    'messages',
    'batch',
    'blind',
    'news',
    'claim',
    'close',
    'extend',
    'fire',
    'due',
    'fail',
    'tick',
    'birth',
  ),
  actor: fc.nat(2),
  n: fc.nat(5),
  wrong: fc.boolean(),
});

function mechanism(db: Database, run: number) {
  const id = (n: number) => `run${run}:actor${n}`;
  const key = (n: number) => `run${run}:effect${n}`;
  let at = START;
  const kinds = [`kind${run}`];
  const now = () => new Date(at);
  const clock = () => new Date(at);
  const birth = (n: number) => ({
    id: id(n),
    kind: 'k',
    version: 1,
    snapshot: { n },
    done: false,
    effects: [{ key: key(n), kind: kinds[0]!, params: { n } }],
    timers: [{ timerId: 't', dueAt: new Date(at + 1_000), event: { type: 'TICK' } }],
    mail: [{ actorId: id((n + 1) % 3), eventId: 'born', event: { type: 'BORN', n } }],
    now: now(),
  });
  return async ({ do: what, actor, n, wrong }: { do: string; actor: number; n: number; wrong: boolean }) => {
    const event = { type: 'E', n };
    const eventId = `e${n}`;
    switch (what) {
      case 'birth':
        return await db.transaction().execute((trx) => insertActor(trx, birth(actor)));
      case 'message':
        return await insertMessage(db, { actorId: id(actor), eventId, event, now: now() });
      case 'messages':
        return await insertMessages(
          db,
          [0, 0, 1].map((d) => ({ actorId: id(actor), eventId: `e${n + d}`, event })),
          now(),
        );
      case 'batch':
      case 'blind':
      case 'news': {
        const [row] = await readActors(db, [id(actor)], 2);
        if (!row) return null;
        const batch = {
          id: row.id,
          revision: row.revision + (wrong ? 1n : 0n),
          version: 2,
          snapshot: { n },
          done: n === 5,
          consumed: what === 'batch' ? row.messages.map((m) => m.seq) : [],
          ended: n % 2 === 0 ? Object.keys(row.timers) : [],
          effects: [{ key: key(n), kind: kinds[0]!, params: { n }, held: n % 2 === 1 }],
          timers: n > 3 ? [{ timerId: 't', dueAt: new Date(at + n * 500), event: { type: 'TICK' } }] : [],
          arrival: what === 'batch' ? null : { eventId, event },
          blind: what === 'blind',
        };
        const saved = await saveBatches(db, [batch], now(), { leaseMs: 2_000, clock: clock() });
        return { row, saved };
      }
      case 'claim':
        return await claimEffects(db, {
          kinds: wrong ? ['other'] : kinds,
          limit: 1 + (n % 3),
          leaseMs: 1_000,
          clock: clock(),
        }).then((rows) => [...rows].sort((a, b) => (a.key < b.key ? -1 : 1)));
      case 'close':
        return await closeEffects(
          db,
          [0, 1].map((d) => ({
            key: key(n + d),
            attempt: wrong ? 9 : 1 + d,
            status: n % 3 === 0 ? ('pending' as const) : ('done' as const),
            error: n === 0 ? 'it did not' : null,
            failed: n === 0,
            event: n % 2 === 0 ? { type: 'DONE' } : null,
            waitMs: 400,
          })),
          { now: now(), clock: clock() },
        );
      case 'extend':
        return await extendLease(db, { key: key(n), attempt: wrong ? 7 : 1, leaseMs: 3_000, clock: clock() });
      case 'fire':
        return (await fireDueTimers(db, now(), 100)).filter((i) => i.startsWith(`run${run}:`));
      case 'due': {
        const due = await dueActors(db, {
          before: new Date(at - 100),
          now: now(),
          limit: 50,
          from: `run${run}:`,
        });
        const overdue = await overdueWork(db, { kinds: [...kinds, 'other'], now: now(), clock: clock() });
        const waiting = await waitingEffects(db, [id(actor)], now());
        return {
          due: due.ids.filter((i) => i.startsWith(`run${run}:`)),
          effects: overdue.kinds,
          waiting,
        };
      }
      case 'fail': {
        const [row] = await readActors(db, [id(actor)], 1);
        return await noteFailure(db, {
          actorId: id(actor),
          revision: (row?.revision ?? 0n) + (wrong ? 1n : 0n),
          seq: row?.messages[0]?.seq ?? null,
          fault: 'it threw',
          deadLetterAfter: 2,
          retryAt: (failures) => new Date(at + failures * 100),
          now: now(),
        });
      }
      default:
        at += [1, 100, 400, 1_000, 2_000, 5_000][n]!;
        return at;
    }
  };
}

async function mechanismRows(db: Database, run: number) {
  const of = `run${run}:%`;
  return plain({
    actors: await db.selectFrom('actors').selectAll().where('id', 'like', of).orderBy('id').execute(),
    mailbox: await db
      .selectFrom('mailbox')
      .selectAll()
      .where('actor_id', 'like', of)
      .orderBy('actor_id')
      .orderBy('seq')
      .execute(),
    timers: await db
      .selectFrom('timers')
      .selectAll()
      .where('actor_id', 'like', of)
      .orderBy('actor_id')
      .execute(),
    effects: (
      await db.selectFrom('effects').selectAll().where('actor_id', 'like', of).orderBy('key').execute()
    ).map(({ id: _, ...rest }) => rest),
  });
}

describe('the memory store and Postgres', () => {
  it('give the same answers to any history of batches, claims, leases, timers and faults, and end with the same rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const run = runs++;
        const memory = new MemoryServer(() => new Date(START + 86_400_000)).open().db;
        const [a, b] = [mechanism(real.db, run), mechanism(memory, run)];
        for (const s of [{ do: 'birth', actor: 0, n: 0, wrong: false }, ...steps]) {
          const [one, other] = [await outcome(() => a(s)), await outcome(() => b(s))];
          expect(other, JSON.stringify(s)).toEqual(one);
        }
        expect(await mechanismRows(memory, run)).toEqual(await mechanismRows(real.db, run));
      }),
      { numRuns: RUNS },
    );
  });

  const act = fc.record({
    do: fc.constantFrom(
      'buy',
      'buy',
      'buy',
      'reprice',
      'cancel',
      'unwind',
      'unwind',
      'choose',
      'settle',
      'sign',
      'withdraw',
      'expire',
      'list',
      'held',
      'look',
      'look',
      'rest',
      'rest',
      'drain',
      'fund',
      'fund',
    ),
    who: fc.nat(4),
    lot: fc.nat(1),
    cents: fc.integer({ min: 1, max: 30 }),
    n: fc.nat(20),
  });

  const CAUSES: readonly StopCause[] = [
    { finding: 'price-intelligence', side: 'buyer', verdict: 'FLAGGED' },
    { finding: 'wallet', side: 'seller', verdict: 'INCONCLUSIVE' },
    { finding: 'double-pledge', side: 'buyer', verdict: 'FLAGGED' },
    { finding: 'settlement', side: 'neither', verdict: null },
    { finding: 'not-determined', side: 'buyer', verdict: null },
  ];

  function market(db: Database, run: number) {
    const stage = marketStage(db);
    const handles = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map((h) => `${h}-${run}`);
    // The seller has a second agent, and so has one of the buyers.
    const ownerAt = (who: number) => `0xowner-of-${handles[[0, 1, 2, 0, 1][who]!]}`;
    let lots: string[] = [];
    const orders: string[] = [];
    const deals: string[] = [];
    const named = (prefix: string) => `${stage.fresh(prefix)}_r${run}`;
    const ids = () => ({ matchId: named('m'), dealId: named('d') });
    const asset = (n: number) => ({
      kind: 'token' as const,
      chainId: 1002,
      contract: `0x${'b'.repeat(40)}` as const,
      tokenId: String(run * 100 + n),
    });
    const refs: string[] = [];
    let look: OrderSnapshot | null = null;
    const list = async (n: number, at: number) => {
      const listingRef = named('l');
      const terms = { asset: asset(n), ask: 200_000n, floor: 150_000n };
      const ids = { listingRef, orderId: named('s'), pledgeId: named('p') };
      const lot = await stage.list(handles[0]!, { ...terms, ...ids });
      refs[at] = listingRef;
      return lot;
    };
    return {
      async open() {
        for (const h of handles) {
          await stage.agent(h, ownerAt(handles.indexOf(h)));
          await db
            .updateTable('agents')
            .set({ token_id: BigInt(run * 10 + handles.indexOf(h)) })
            .where('handle', '=', h)
            .execute();
        }
        lots = [await list(0, 0), await list(1, 1)];
      },
      async act({
        do: what,
        who,
        lot,
        cents,
        n,
      }: {
        do: string;
        who: number;
        lot: number;
        cents: number;
        n: number;
      }) {
        const now = stage.tick(n % 2 === 0 ? 3_000 : 1);
        const orderId = named('o');
        const owner = ownerAt(who);
        const limit = BigInt(cents) * 10_000n;
        switch (what) {
          case 'buy':
          case 'reprice': {
            const side = what === 'buy' ? ('buy' as const) : ('sell' as const);
            const handle = side === 'buy' ? handles[who]! : handles[0]!;
            const terms = {
              orderId,
              owner,
              side,
              limit,
              ids: ids(),
              expiresAt: side === 'sell' && n % 3 === 0 ? null : stage.later((n + 1) * 5_000),
              short: side === 'buy' && n % 4 === 0 ? { need: limit, have: 0n } : null,
            };
            const placed = await stage.order(
              handle,
              lots[lot]!,
              side === 'buy' ? terms : { ...terms, owner: `0xowner-of-${handles[0]}` },
            );
            orders.push(orderId);
            if (placed.match) deals.push(placed.match.dealId);
            return placed;
          }
          case 'cancel': {
            const target = orders[n % Math.max(1, orders.length)] ?? 'none';
            return await stage.inTrx((trx) =>
              cancelOrder(trx, { orderId: target, handle: handles[who]!, now }),
            );
          }
          case 'unwind': {
            const dealId = deals[n % Math.max(1, deals.length)] ?? 'none';
            const undone = await stage.inTrx((trx) =>
              unwindDeal(trx, {
                dealId,
                reason: 'a test',
                orderId,
                ids: ids(),
                allows: async (pair) => pair.price % 20_000n === 0n && (await unlessStopped(trx)(pair)),
                now,
                causes: CAUSES.slice(cents % 3, (cents % 3) + (n % 4)),
              }),
            );
            if (undone.match) deals.push(undone.match.dealId);
            return undone;
          }
          case 'choose':
            return await keepSettings(
              db,
              plainHolder(owner),
              { onFlagged: n % 2 === 0 ? 'ask' : 'stop' },
              now,
            );
          case 'settle': {
            const dealId = deals[n % Math.max(1, deals.length)] ?? 'none';
            return await stage.inTrx((trx) => markSettled(trx, { dealId, tx: '0x1', block: 5n, now }));
          }
          case 'sign': {
            const handle = handles[who]!;
            const structured = {
              side: 'both' as const,
              currency: 'USDC' as const,
              expires_at: '2099-01-01T00:00:00Z',
            };
            return await stage.inTrx(async (trx) => {
              const version = await proposeMandate(trx, { handle, text: 't', structured, hash: '0x', now });
              if (n % 3 !== 0) await adoptMandate(trx, { handle, version, tx: '0x2', signedAt: now });
              return version;
            });
          }
          case 'drain':
          case 'fund': {
            const target = orders[n % Math.max(1, orders.length)] ?? 'none';
            return await stage.inTrx(async (trx) => {
              const assetKey = (await findOrder(trx, target))?.asset_key;
              if (assetKey === undefined) return null;
              await lockLot(trx, assetKey);
              if (what === 'drain') return await becomeUnfunded(trx, { assetKey, orderId: target, now });
              const rested = await restFunded(trx, {
                orderId: target,
                accountHolds: BigInt(n) * 40_000n,
                now,
              });
              const inFlight = await moneyInFlight(trx, handles[who]!, { without: lots[lot]! });
              await refreshLot(trx, { assetKey, ask: 200_000n, seller: ownerAt(0), open: true }, now);
              return { rested, inFlight };
            });
          }
          case 'withdraw':
            return n < 4 ? await withdrawOrders(db, handles[who]!, now) : 0;
          case 'expire':
            return await expireOrders(db, now);
          case 'look': {
            look = await readOrderSnapshot(db, { listingRef: refs[lot]!, handle: handles[who]!, owner, now });
            return look?.before;
          }
          case 'rest': {
            const expiresAt = stage.later((n + 1) * 5_000);
            const order = { orderId, side: 'buy' as const, limit, openingBid: null, expiresAt };
            const judged = look && { ...judgeOnBook(look, order), accountHolds: limit };
            return judged?.priceToBeat == null ? null : await writeOrder(db, judged);
          }
          case 'list':
            lots[lot] = await list(n, lot);
            return null;
          default: {
            const dealId = deals[n % Math.max(1, deals.length)];
            const handle = handles[who]!;
            const known = (await readOrderSnapshot(db, { listingRef: refs[lot]!, handle, owner, now }))!
              .before;
            expect(known.held).toEqual(await heldBy(db, { handle, owner }, now));
            expect(known.sold).toEqual(await soldBy(db, { handle, owner }, now));
            expect(known.bookedBlock).toEqual(await lastBookedBlock(db, handle));
            return {
              known,
              deal: dealId === undefined ? null : await findDeal(db, dealId),
              loaded: dealId === undefined ? null : await loadDeal(db, dealId),
            };
          }
        }
      },
      async rows() {
        const of = `%r${run}`;
        const by = `%-${run}`;
        return plain({
          orders: await db
            .selectFrom('orders')
            .selectAll()
            .where('handle', 'like', by)
            .orderBy('order_id')
            .execute(),
          reservations: await db
            .selectFrom('reservations')
            .selectAll()
            .where('handle', 'like', by)
            .orderBy('order_id')
            .execute(),
          listings: await db
            .selectFrom('listings')
            .selectAll()
            .where('handle', 'like', by)
            .orderBy('listing_ref')
            .execute(),
          matches: await db
            .selectFrom('matches')
            .selectAll()
            .where('match_id', 'like', of)
            .orderBy('match_id')
            .execute(),
          deals: await db
            .selectFrom('deals')
            .selectAll()
            .where('deal_id', 'like', of)
            .orderBy('deal_id')
            .execute(),
          pledges: await db.selectFrom('pledges').selectAll().where('id', 'like', of).orderBy('id').execute(),
          stops: await db
            .selectFrom('stops')
            .selectAll()
            .where('deal_id', 'like', of)
            .orderBy('deal_id')
            .orderBy('side')
            .orderBy('finding')
            .execute(),
          lots: await db
            .selectFrom('lots')
            .selectAll()
            .where('asset_key', 'in', lots)
            .orderBy('asset_key')
            .execute(),
        });
      },
    };
  }

  it('give the same answers to any history of listings, orders, cancels, matches and closings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 25 }), async (acts) => {
        const run = 1000 + runs++;
        // Resting orders of an earlier history are overdue in this one, and would count only in the store that has
        // them.
        await real.db
          .updateTable('orders')
          .set({ status: 'cancelled', left_at: new Date(START) })
          .where('status', 'in', ['resting', 'unfunded'])
          .execute();
        const memory = new MemoryServer(() => new Date(START)).open().db;
        const [a, b] = [market(real.db, run), market(memory, run)];
        await a.open();
        await b.open();
        for (const one of acts) {
          const [left, right] = [await outcome(() => a.act(one)), await outcome(() => b.act(one))];
          expect(right, JSON.stringify(one)).toEqual(left);
        }
        expect(await b.rows()).toEqual(await a.rows());
      }),
      { numRuns: RUNS },
    );
  });

  for (const name of ['Postgres', 'memory'] as const) {
    const open = (): Database =>
      name === 'Postgres' ? real.db : (new MemoryServer(() => new Date()).open().db as Database);

    it(`${name}: a transaction that is rolled back leaves no trace and no lock`, async () => {
      const db = open();
      const stage = marketStage(db);
      const handle = await stage.agent(`undo-${name.toLowerCase()}`);
      const gone = db.transaction().execute(async (trx) => {
        await trx.updateTable('agents').set({ status: 'paused' }).where('handle', '=', handle).execute();
        throw new Error('undone');
      });
      await expect(gone).rejects.toThrow('undone');
      const rows = await db.selectFrom('agents').select('status').where('handle', '=', handle).execute();
      expect(rows).toEqual([{ status: 'active' }]);
    });

    it(`${name}: a statement waits for a row that another transaction writes, and reads it again`, async () => {
      const db = open();
      const stage = marketStage(db);
      for (let taken = 0; taken < 10; taken++) stage.fresh('number');
      const handle = await stage.agent(`wait-${name.toLowerCase()}`);
      let free = (): void => {};
      const hold = new Promise<void>((resolve) => {
        free = resolve;
      });
      let held = (): void => {};
      const isHeld = new Promise<void>((resolve) => {
        held = resolve;
      });
      const first = db.transaction().execute(async (trx) => {
        await trx.updateTable('agents').set({ about: 'first' }).where('handle', '=', handle).execute();
        held();
        await hold;
      });
      await isHeld;
      const seenMeanwhile = await db
        .selectFrom('agents')
        .select('about')
        .where('handle', '=', handle)
        .execute();
      const second = db
        .updateTable('agents')
        .set({ about: 'second' })
        .where('handle', '=', handle)
        .where('about', 'is', null)
        .executeTakeFirst();
      free();
      await first;
      expect(seenMeanwhile).toEqual([{ about: null }]);
      // It waited for the row, whose new value is not the one that was expected.
      expect((await second).numUpdatedRows).toBe(0n);
      const rows = await db.selectFrom('agents').select('about').where('handle', '=', handle).execute();
      expect(rows).toEqual([{ about: 'first' }]);
    });

    it(`${name}: an owner gave a word for what it ordered by itself, or paid from its wallet`, async () => {
      const db = open();
      const stage = marketStage(db);
      // Numbers that no other agent of these stages has.
      for (let taken = 0; taken < 40; taken++) stage.fresh('number');
      const handles = ['paid', 'ordered', 'given'].map((what) => `${what}-${name.toLowerCase()}`);
      const owner = '0xowner-of-three';
      for (const handle of handles) await stage.agent(handle, owner);
      const words = () =>
        ownersWords(db, [...handles.map((handle) => ({ handle, owner })), { handle: 'nobody', owner }]);
      expect(await words()).toEqual([false, false, false, false]);
      await db
        .updateTable('checkouts')
        .set({ pay: 'usdc', processor_session: `x402:${name}:0xOWNER-of-three:0x1` })
        .where('id', '=', `co_${handles[0]}`)
        .execute();
      const lot = await stage.list(handles[1]!, { owner });
      stage.tick();
      await stage.order(handles[1]!, lot, { owner, side: 'sell', orderId: `ord_0${name}` });
      expect(await words()).toEqual([true, true, false, false]);
      const before = { owner, by: new Date(stage.now().getTime() - 1) };
      expect(
        await ownersWords(
          db,
          handles.map((handle) => ({ handle, ...before })),
        ),
      ).toEqual([true, false, false]);
      expect(await ownersWords(db, [{ handle: handles[1]!, owner, by: stage.now() }])).toEqual([true]);
      expect(await ownersWords(db, [{ handle: handles[0]!, owner: '0xanother' }])).toEqual([false]);
      expect(await ownersWords(db, [])).toEqual([]);
    });

    it(`${name}: an insert reserves its unique key at once, and a rollback frees it again`, async () => {
      const db = open();
      const now = new Date();
      const message = { actorId: `unique:${name}`, eventId: 'e', event: { type: 'E' }, now };
      const undone = db.transaction().execute(async (trx) => {
        expect(await insertMessage(trx, message)).toBe(true);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await insertMessage(db, message)).toBe(true);
      expect(await insertMessage(db, message)).toBe(false);
    });
  }

  it('throws on a statement that it does not know, instead of finding nothing', async () => {
    const { db } = new MemoryServer(() => new Date()).open();
    await expect(sql`select 1 from agents`.execute(db)).rejects.toThrow('select 1 from agents');
    await expect(db.selectFrom('payments').selectAll().execute()).rejects.toThrow('no table payments');
  });
});
