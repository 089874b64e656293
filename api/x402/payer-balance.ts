import type { PaymentRequirements } from '@x402/core/types';
import type { Address } from '../../agents/ids.ts';
import type { PayerFacts } from '../../chain/facilitator/payer-glance.ts';
import type { Database } from '../../store/database.ts';
import { amountUnderWay } from '../../store/payments/payment-claims.ts';
import type { PaymentBinding } from '../../store/payments/payments.ts';
import type { SentPayment } from './payload.ts';
import { notCovered, unavailable } from './refused.ts';
import type { PaymentTerms } from './terms.ts';
import { isSignedByKey } from './unread-checks.ts';

/** What plain reads of a payer's balance tell of a payment, at a fraction of what a verification costs. */

/**
 * Checks a payer who has not paid here yet. Most forged payments are refused by it. Signatures of contract wallets are left
 * to the verification.
 * @returns what is wrong; null where nothing is, or the chain does not answer
 */
export async function wrongAtAGlance(
  terms: PaymentTerms,
  payment: SentPayment,
  requirements: PaymentRequirements,
): Promise<string | null> {
  const seen = await facts(terms, payment, requirements.network);
  if (!seen) return null;
  if (seen.balance < amountOf(payment)) return 'the payer does not hold the amount';
  const isKeys = !seen.hasCode && payment.signed.signature.length === 132;
  return isKeys && !isSignedByKey(payment, requirements) ? "the signature is not the payer's" : null;
}

/** Whether the money has left meanwhile: sending the payment would cost its gas for nothing. */
export async function holdsTooLittle(
  terms: PaymentTerms,
  payment: SentPayment,
  requirements: PaymentRequirements,
): Promise<boolean> {
  const seen = await facts(terms, payment, requirements.network);
  return seen ? seen.balance < amountOf(payment) : false;
}

/**
 * Each payment is verified by itself against the same balance: one amount would do for any number of works at once. Asked
 * once the payment is bound, so that of two at the same moment one at least sees the other.
 * @throws AppError unavailable where the payer's balance does not cover it together with what is under way
 */
export async function requireCovered(
  { db, terms, now }: { readonly db: Database; readonly terms: PaymentTerms; readonly now: () => Date },
  { binding, payment }: { readonly binding: PaymentBinding; readonly payment: SentPayment },
): Promise<void> {
  const others = await amountUnderWay(db, binding, now());
  if (others === 0n || !terms.network(binding.network)?.glance) return;
  const seen = await facts(terms, payment, binding.network);
  if (!seen) throw unavailable('The chain does not tell what the payer holds: send the same payment again.');
  if (seen.balance < others + amountOf(payment)) throw notCovered();
}

function amountOf({ signed }: SentPayment): bigint {
  return BigInt(signed.authorization.value);
}

async function facts(terms: PaymentTerms, { signed }: SentPayment, name: string): Promise<PayerFacts | null> {
  const network = terms.network(name);
  return (await network?.glance?.(network.asset, signed.authorization.from as Address)) ?? null;
}
