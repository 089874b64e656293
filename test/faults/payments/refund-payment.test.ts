import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../agents/errors.ts';
import { InDispute } from '../../../runtime/checkout/refund-charge.ts';
import { refundPaymentEffect } from '../../../runtime/checkout/refund-payment.ts';
import type { EffectContext } from '../../../runtime/durable/jobs/effect.ts';
import { countsAgainst } from '../../../runtime/durable/jobs/failures.ts';
import type { Services } from '../../../runtime/services.ts';
import { createCheckout } from '../../../store/checkout/checkouts.ts';
import { noteReversal } from '../../../store/checkout/reversals.ts';
import { isRefunded } from '../../../store/checkout/unserved.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

/** What becomes of money that bought nothing. */

const PAYER = `0x${'a1'.repeat(20)}`;
let database: TestDatabase;
const logged: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

async function paid(id: string, by: { pay: 'card' | 'usdc'; session: string; intent: string | null }) {
  const now = new Date();
  await database.db.transaction().execute(async (trx) => {
    await createCheckout(trx, {
      ...{ id, kind: 'membership', owner: PAYER, handle: null, tier: null, depth: null },
      ...{ amount: 12_500_000n, pay: by.pay, session: by.session, details: {}, expiresAt: now, now },
    });
    await trx.updateTable('checkouts').set({ payment_intent: by.intent }).where('id', '=', id).execute();
  });
}

function refund(checkoutId: string, card: Partial<Services['card']> = {}) {
  const log = { error: (_: object, message: string) => logged.push(message) };
  const services = { db: database.db, log, card } as unknown as Services;
  return refundPaymentEffect(services).run({ params: { checkoutId } } as unknown as EffectContext);
}

describe('money that bought nothing', () => {
  it('in USDC is named to the operator with its payer, amount and chain, at once', async () => {
    await paid('co_usdc', { pay: 'usdc', session: `x402:eip155:84532:${PAYER}:0x01`, intent: null });
    const says = `12.5 USDC must be returned by hand to ${PAYER} on eip155:84532, for checkout co_usdc`;
    await expect(refund('co_usdc')).rejects.toMatchObject({ message: says, retry: false });
    expect(logged).toEqual([says]);
  });

  it('from a card goes back through the processor, however long that is away', async () => {
    await paid('co_card', { pay: 'card', session: 'cs_1', intent: 'pi_1' });
    const away = async () => {
      throw new AppError('unavailable', 'The card processor did not return the money.');
    };
    await expect(refund('co_card', { refund: away })).rejects.toMatchObject({ code: 'unavailable' });
    const asked: object[] = [];
    const back = await refund('co_card', { refund: async (payment) => void asked.push(payment) });
    expect(back.event).toEqual({ type: 'REFUNDED' });
    expect(asked).toEqual([{ checkoutId: 'co_card', paymentIntent: 'pi_1' }]);
  });

  const told = (paymentIntent: string, state: 'refunded' | 'open' | 'won' | 'lost') =>
    database.db
      .transaction()
      .execute((trx) =>
        noteReversal(trx, { paymentIntent, reference: `du_${paymentIntent}`, state }, new Date()),
      );

  it.each(['refunded', 'lost'] as const)('is back where it was told as %s', async (state) => {
    const intent = `pi_${state}`;
    await paid(`co_${state}`, { pay: 'card', session: `cs_${state}`, intent });
    expect(await isRefunded(database.db, intent)).toBe(false);
    await told(intent, 'open');
    expect(await isRefunded(database.db, intent)).toBe(false);
    await told(intent, state);
    expect(await isRefunded(database.db, intent)).toBe(true);
    // The processor refuses: it has nothing left to return.
    const refused = async () => {
      throw new Error('the card processor returns no money');
    };
    const back = await refund(`co_${state}`, { refund: refused });
    expect(back.event).toEqual({ type: 'REFUNDED' });
  });

  it('waits for hours while its payment is in dispute, and counts no attempt', async () => {
    await paid('co_open', { pay: 'card', session: 'cs_open', intent: 'pi_open' });
    const open = async () => {
      throw new InDispute();
    };
    const failure = await refund('co_open', { refund: open }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'EffectError', retry: true, waitMs: 7_200_000 });
    expect(countsAgainst(failure)).toBe(false);
  });
});
