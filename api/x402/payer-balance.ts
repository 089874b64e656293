import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentRequirements } from '@x402/core/types';
import type { Address } from '../../agents/ids.ts';
import type { PayerFacts } from '../../chain/facilitator/payer-glance.ts';
import type { Database } from '../../store/database.ts';
import { amountUnderWay } from '../../store/payments/payment-claims.ts';
import type { PaymentBinding } from '../../store/payments/payments.ts';
import type { PayerTrust } from './payer-trust.ts';
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

/** A node may be some blocks behind the one by which the payment was verified. */
const LOOKS = 4;
const BETWEEN_LOOKS_MS = 1_000;

/**
 * Whether the money has left meanwhile: sending the payment would cost its gas for nothing. It is believed once every look
 * within some seconds shows it.
 */
export async function holdsTooLittle(
  terms: PaymentTerms,
  payment: SentPayment,
  requirements: PaymentRequirements,
): Promise<boolean> {
  for (let look = 1; ; look++) {
    const seen = await facts(terms, payment, requirements.network);
    if (!seen || seen.balance >= amountOf(payment)) return false;
    if (look === LOOKS) return true;
    await sleep(BETWEEN_LOOKS_MS);
  }
}

interface CoverDeps {
  readonly db: Database;
  readonly terms: PaymentTerms;
  readonly trust: PayerTrust;
  readonly now: () => Date;
}

const COVER_WAIT_MS = 10_000;
const COVER_POLL_MS = 200;

/**
 * Each payment is verified by itself against the same balance: one amount would do for any number of works at once. Asked
 * once the payment is bound, so that of two at the same moment one at least sees the other. Of payments that together are
 * too much, the oldest go on: they wait until the others have given way. So do those before which one is being charged,
 * whose amount the balance may have lost already.
 * @throws AppError unavailable where the payer's balance does not cover it together with what is under way
 */
export async function requireCovered(
  { db, terms, trust, now }: CoverDeps,
  { binding, payment }: { readonly binding: PaymentBinding; readonly payment: SentPayment },
): Promise<void> {
  if (!terms.network(binding.network)?.glance) return;
  let seen: PayerFacts | null = null;
  let before: bigint | null = null;
  for (let waited = 0; ; waited += COVER_POLL_MS) {
    const others = await amountUnderWay(db, binding, now());
    // Once it has waited, the balance that it was verified against has changed.
    if (others.all === 0n && waited === 0) return;
    // As long as the others are the same, so is what the balance has lost to them.
    if (others.all !== before) seen = await facts(terms, payment, binding.network);
    before = others.all;
    if (!seen && trust.knows(binding.payer)) return;
    if (!seen)
      throw unavailable('The chain does not tell what the payer holds: send the same payment again.');
    const left = seen.balance - amountOf(payment);
    if (others.all <= left) return;
    if (others.ahead > left || waited >= COVER_WAIT_MS) throw notCovered();
    await sleep(COVER_POLL_MS);
  }
}

function amountOf({ signed }: SentPayment): bigint {
  return BigInt(signed.authorization.value);
}

async function facts(terms: PaymentTerms, { signed }: SentPayment, name: string): Promise<PayerFacts | null> {
  const network = terms.network(name);
  return (await network?.glance?.(network.asset, signed.authorization.from as Address)) ?? null;
}
