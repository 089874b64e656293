import type { SettleResponse } from '@x402/core/types';
import type { Address } from '../../agents/ids.ts';
import type { PaymentBinding } from '../../store/payments/payments.ts';
import type { SentPayment } from './payload.ts';
import { unavailable } from './refused.ts';
import type { PaymentTerms } from './terms.ts';

export const UNKNOWN =
  'It is not known yet whether the payment settled: send the same payment again, it is charged at most once.';

type Fate = { readonly kind: 'paid'; readonly receipt: SettleResponse } | { readonly kind: 'open' | 'over' };

/** Asks the chain what became of the payment. @throws AppError unavailable when the chain cannot be read */
export async function reconcile(
  terms: Pick<PaymentTerms, 'network'>,
  { binding, payment }: { readonly binding: PaymentBinding; readonly payment: SentPayment },
  firstSeen: Date,
): Promise<Fate> {
  const network = terms.network(binding.network);
  if (!network) return { kind: 'open' };
  const { from, to, value, validAfter, validBefore, nonce } = payment.signed.authorization;
  try {
    const state = await network.readAuthorization({
      asset: network.asset,
      from: from as Address,
      to: to as Address,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: nonce as `0x${string}`,
      firstSeen: BigInt(Math.floor(firstSeen.getTime() / 1000)),
    });
    if (state.kind === 'open') return { kind: 'open' };
    if (state.kind !== 'paid') return { kind: 'over' };
    const caip2 = `eip155:${network.chainId}` as const;
    const { transaction } = state;
    return { kind: 'paid', receipt: { success: true, transaction, network: caip2, payer: from } };
  } catch (cause) {
    throw unavailable(UNKNOWN, cause);
  }
}
