import type { Address } from '../../agents/ids.ts';
import {
  type AuthorizationState,
  authorizationReader,
  type ReadAuthorization,
} from '../../chain/facilitator/authorization.ts';
import { releaseAnswer } from '../../store/payments/payments.ts';
import {
  discardPayment,
  takeUnsettled,
  type UnsettledPayment,
} from '../../store/payments/unsettled-payments.ts';
import { bookCheckoutOf, dropHold } from '../checkout/public.ts';
import type { ChainAccess, Services } from '../services.ts';
import type { GasGuard } from './gas-guard.ts';

interface ReconcileDeps extends Pick<Services, 'db' | 'notifier' | 'now' | 'log' | 'sessionKeys'> {
  readonly chains: ReadonlyMap<number, Pick<ChainAccess, 'chainId' | 'rpcUrl'>>;
}

/** How many payments one round checks. */
const AT_ONCE = 50;
/** How far the chain's clock may be behind ours. A quiet chain makes no blocks, so its time cannot be read. */
const SKEW_MS = 3_600_000;

/**
 * Finishes what requests left unfinished. A payment that was made on chain releases its answer, once, however the
 * service ended in between. A payment that was not made and no longer can be is deleted with everything it held. One
 * call is one round; a payment whose state cannot be read is checked again in a later round.
 */
export function paymentsReconciled(services: ReconcileDeps, gas: GasGuard): () => Promise<void> {
  const readers = new Map<string, ReadAuthorization>(
    [...services.chains.values()].map((chain) => [
      `eip155:${chain.chainId}`,
      authorizationReader(chain.rpcUrl),
    ]),
  );
  return async () => {
    for (const payment of await takeUnsettled(services.db, services.now(), AT_ONCE)) {
      try {
        const state = await readers.get(payment.network)?.(transferOf(payment));
        if (state) await end(services, gas, payment, state);
      } catch (error) {
        const { paymentId } = payment;
        services.log.warn({ paymentId, err: error }, 'the fate of a payment is not known yet');
      }
    }
  };
}

async function end(
  services: ReconcileDeps,
  gas: GasGuard,
  payment: UnsettledPayment,
  state: AuthorizationState,
): Promise<void> {
  const { db, notifier } = services;
  const { paymentId, network, payer, answered } = payment;
  const now = services.now();
  if (state.kind === 'paid' && answered) {
    const receipt = { success: true, transaction: state.transaction, network, payer };
    let booked: string | null = null;
    await releaseAnswer(db, paymentId, receipt, now, async (trx) => {
      booked = await bookCheckoutOf(services, trx, paymentId);
    });
    if (booked !== null) notifier.actor(`checkout:${booked}`);
    return;
  }
  const passed = payment.validBefore < now;
  const over = state.kind === 'open' ? payment.validBefore.getTime() + SKEW_MS < now.getTime() : passed;
  if (!over && state.kind !== 'spent') return;
  await db.transaction().execute(async (trx) => {
    if (!(await discardPayment(trx, paymentId, now))) return;
    // The payment may have been sent and did not settle, so its gas counts as spent.
    if (payment.status === 'settling') await gas.failReserved(trx, payment);
    else await gas.release(paymentId, trx);
    await dropHold(trx, paymentId);
  });
}

function transferOf(payment: UnsettledPayment): Parameters<ReadAuthorization>[0] {
  const seconds = (at: Date): bigint => BigInt(Math.floor(at.getTime() / 1000));
  return {
    asset: payment.asset as Address,
    from: payment.payer as Address,
    to: payment.payTo as Address,
    value: payment.amount,
    validAfter: seconds(payment.validAfter),
    validBefore: seconds(payment.validBefore),
    nonce: payment.nonce as `0x${string}`,
    firstSeen: seconds(payment.firstSeen),
  };
}
