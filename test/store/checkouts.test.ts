import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attachSession,
  createCheckout,
  expireCheckout,
  findCheckout,
  findCheckoutBySession,
  handleIsHeld,
  markPaid,
  type NewCheckout,
  recordCardEvent,
  withdrawCheckout,
} from '../../store/checkouts.ts';
import { onFlagged, setOnFlagged } from '../../store/settings.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});

afterAll(async () => {
  await database.drop();
});

async function open(handle: string | null, terms: Partial<NewCheckout> = {}): Promise<string> {
  const id = stage.fresh('co');
  await stage.inTrx((trx) =>
    createCheckout(trx, {
      id,
      kind: 'agent',
      owner: '0xowner',
      handle,
      tier: 'AGENT',
      depth: '2-of-2',
      amount: 5_000_000n,
      details: { mandateText: 'Buy' },
      expiresAt: stage.later(3_600_000),
      now: stage.now(),
      ...terms,
    }),
  );
  await attachSession(database.db, id, { sessionId: `cs_${id}`, url: `http://pay/${id}` });
  return id;
}

const pay = (checkoutId: string, paid: Partial<Parameters<typeof markPaid>[1]> = {}) =>
  stage.inTrx((trx) =>
    markPaid(trx, {
      checkoutId,
      sessionId: `cs_${checkoutId}`,
      amount: 5_000_000n,
      currency: 'usd',
      now: stage.now(),
      ...paid,
    }),
  );

const expire = (id: string, now: Date) => stage.inTrx((trx) => expireCheckout(trx, id, now));

describe('a checkout', () => {
  it('holds its handle alone, whoever comes at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => open('wanted')));
    expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
    for (const r of results) {
      if (r.status === 'rejected') expect(r.reason).toMatchObject({ code: 'conflict' });
    }
  });

  it('is paid once, however often and at once it is reported', async () => {
    const id = await open('paid-once');
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => pay(id)));
    expect(outcomes.filter((o) => o === 'paid')).toHaveLength(1);
    expect(outcomes.filter((o) => o === 'already')).toHaveLength(9);
    expect(await findCheckoutBySession(database.db, `cs_${id}`)).toMatchObject({ id, status: 'paid' });
  });

  it.each([
    ['another amount', { amount: 4_999_999n }],
    ['no amount', { amount: null }],
    ['another currency', { currency: 'eur' }],
    ['another session', { sessionId: 'cs_other' }],
  ])('is not paid by %s', async (_, paid) => {
    const id = await open(null, { kind: 'membership' });
    expect(await pay(id, paid)).toBe('differs');
    expect((await findCheckout(database.db, id))?.paid_at).toBeNull();
  });

  it('is known by its name when its session was never attached', async () => {
    const id = await open('unattached');
    await database.db
      .updateTable('checkouts')
      .set({ processor_session: null })
      .where('id', '=', id)
      .execute();
    expect(await pay(id)).toBe('paid');
    expect((await findCheckout(database.db, id))?.processor_session).toBe(`cs_${id}`);
    expect(await pay('co_nowhere')).toBe('unknown-checkout');
  });

  it('expires when its time is over and gives its handle back; paid late, it is served', async () => {
    const id = await open('late-payer');
    expect(await expire(id, stage.later(3_599_999))).toBe(false);
    expect(await expire(id, stage.later(3_600_000))).toBe(true);
    expect(await handleIsHeld(database.db, 'late-payer')).toBe(false);
    expect(await pay(id)).toBe('paid');
    expect(await handleIsHeld(database.db, 'late-payer')).toBe(true);
    expect(await expire(id, stage.later(9_999_999))).toBe(false);
  });

  it('paid after its handle went to another is kept as money to return', async () => {
    const late = await open('contested');
    await withdrawCheckout(database.db, late);
    const other = await open('contested');
    expect(await pay(late)).toBe('handle-taken');
    expect((await findCheckout(database.db, late))?.status).toBe('failed');
    expect(await pay(other)).toBe('paid');
  });
});

describe('a card event', () => {
  it('is taken once out of ten deliveries at once, and again later never', async () => {
    const event = { eventId: 'evt_1', type: 'checkout.session.completed', sessionId: 'cs', now: stage.now() };
    const taken = await Promise.all(
      Array.from({ length: 10 }, () => stage.inTrx((trx) => recordCardEvent(trx, event))),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await stage.inTrx((trx) => recordCardEvent(trx, event))).toBe(false);
  });

  it('whose effect fails is not taken', async () => {
    const event = { eventId: 'evt_2', type: 'x', sessionId: null, now: stage.now() };
    await expect(
      stage.inTrx(async (trx) => {
        await recordCardEvent(trx, event);
        throw new Error('the effect failed');
      }),
    ).rejects.toThrow('the effect failed');
    expect(await stage.inTrx((trx) => recordCardEvent(trx, event))).toBe(true);
  });
});

describe("an owner's setting", () => {
  it('is stop until the owner chooses, and then what was chosen last', async () => {
    const { db } = database;
    expect(await onFlagged(db, '0xchooser')).toBe('stop');
    await setOnFlagged(db, '0xchooser', 'ask', stage.now());
    expect(await onFlagged(db, '0xchooser')).toBe('ask');
    await setOnFlagged(db, '0xchooser', 'stop', stage.now());
    expect(await onFlagged(db, '0xchooser')).toBe('stop');
  });
});
