import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentRequirements, SettleResponse } from '@x402/core/types';
import { Refusal } from '../../agents/errors.ts';
import type { Address } from '../../agents/ids.ts';
import { KEY_GAS, type PayerClass, UNPROVEN_GAS } from '../../chain/facilitator/payer-class.ts';
import type { VerifyDigest } from '../../chain/tx/signature.ts';
import { type GasGuard, payerKey, type Sent, sentBy } from '../../runtime/payments/gas-guard.ts';
import type { Database, Trx } from '../../store/database.ts';
import { claimPayment, type PaymentClaim, paidBefore } from '../../store/payments/payment-claims.ts';
import {
  beginSettling,
  dropPayment,
  failPayment,
  findPayment,
  type PaidAnswer,
  type Payment,
  type PaymentBinding,
  type PaymentLease,
  type Receipt,
  releaseAnswer,
  releasePayment,
  renewPaymentLease,
  sameRequest,
  storeAnswer,
} from '../../store/payments/payments.ts';
import type { SignedRecord } from '../../store/records/records.ts';
import { keyTaken } from '../http/idempotency.ts';
import { holdsTooLittle, requireCovered, wrongAtAGlance } from './payer-balance.ts';
import type { PayerTrust } from './payer-trust.ts';
import type { SentPayment } from './payload.ts';
import { reconcile, UNKNOWN } from './reconcile.ts';
import {
  boundElsewhere,
  heldBack,
  identifierTaken,
  PaymentRefused,
  takenOver,
  tooMany,
  unavailable,
} from './refused.ts';
import type { PaymentTerms } from './terms.ts';
import { chainOf, digestOf, isSignedByKey, wrongUnread } from './unread-checks.ts';

export interface CollectDeps {
  readonly db: Database;
  readonly terms: PaymentTerms;
  readonly gas: GasGuard;
  /** Payers who settled a payment before: for them, reading may begin while the new payment is still being verified. */
  readonly trust: PayerTrust;
  /** Judges the signature of a payment that is not sent, because what it is for was paid before. */
  readonly verifyDigest: VerifyDigest;
  readonly now: () => Date;
  readonly newId: (prefix: string) => string;
  /** Tests end the process at one of these named points between two steps. */
  readonly crash?: (point: PaymentCrashPoint) => void;
  /** How long the lease of a process that died keeps others out; 12,000 when left out. */
  readonly leaseMs?: number;
  /** How long a request waits for another one with the same payment; 25,000 when left out. */
  readonly waitMs?: number;
}

export type PaymentCrashPoint =
  | 'payment-bound'
  | 'payment-worked'
  | 'payment-stored'
  | 'payment-settling'
  | 'payment-charged'
  | 'payment-released';

/** One paid request and what it takes to serve it. */
export interface Collection {
  readonly payment: SentPayment;
  readonly binding: PaymentBinding;
  /** Works out, once, the requirement that the payment meets. @throws PaymentRefused */
  readonly match: () => Promise<PaymentRequirements>;
  /** As `verifyPayment` gives it: begun before anything is known of the payment, because most are new. */
  readonly verified: Promise<void>;
  /**
   * Looks whether the request can be served as things are now. Not asked where its answer waits or was given already, also
   * to another payment that goes by the same name: what was paid for is not refused by what came later. @throws what the caller gets in place of the answer
   */
  readonly check?: (() => Promise<void>) | undefined;
  /**
   * Begins to read what the work will need while the payment is still being verified; writes nothing. Called only for a
   * payer who settled a payment before, and for one payment of his at a time, so that work is caused only by who pays.
   */
  readonly ahead?: (() => void) | undefined;
  /** Checks that the payer signed this very request in the header SIGN-IN-WITH-X, in addition to the payment. */
  readonly signedAnew?: (() => Promise<boolean>) | undefined;
  /** True when the answer is filed nowhere; asked after the work. */
  readonly private?: (() => boolean) | undefined;
  /** Releases what else depended on the payment, in the transaction that marks it failed. */
  readonly onFailed?: ((trx: Trx) => Promise<void>) | undefined;
  /**
   * Called before the payment is sent to the chain, where everybody can read it. From then on the caller is told how it
   * ended, and never that the time is up. @throws when the caller was told that already
   */
  readonly settling?: (() => void) | undefined;
  /** When it throws, nothing is charged, and the caller gets the error. */
  readonly work: () => Promise<PaidAnswer>;
  /** The record that the answer names; asked after the work, and filed when the answer is released. */
  readonly record?: (() => SignedRecord | null) | undefined;
  /**
   * Writes what follows from the payment, in the transaction that releases the answer. Runs once, however often the
   * request comes.
   */
  readonly onPaid?: (trx: Trx, answer: PaidAnswer) => Promise<void>;
  /** Aborts when the caller was told that the time is up: what the work answers is then kept, and not charged for. */
  readonly deadline?: AbortSignal;
}

export interface Collected {
  readonly answer: PaidAnswer;
  readonly receipt: Receipt;
}

/** Used where the payer's chain cannot be read here: whoever settles there pays the gas itself. */
const HELD_BY_KEY: PayerClass = { kind: 'key', codes: [], transferGas: KEY_GAS, deployGas: 0n };
const UNKNOWN_PAYER: PayerClass = { kind: 'unproven', codes: [], transferGas: UNPROVEN_GAS, deployGas: 0n };

const LEASE_MS = 12_000;
const WAIT_MS = 25_000;
const POLL_MS = 100;

/**
 * Takes one payment for one piece of work: check, verify, bind, work, store, settle, release. Each step happens at most
 * once, even when requests repeat, run in several processes at once, or a process dies: every step is a row, which the
 * next caller with the same payment finds. What a transaction may have done already is asked of the chain, never
 * assumed. Until the payment has settled, the result of the work is kept only in that row.
 * @throws PaymentRefused, AppError unavailable or gas-budget, and what the work throws
 */
export async function collect(deps: CollectDeps, collection: Collection): Promise<Collected> {
  const { binding, payment, verified, ahead } = collection;
  // When the payment turns out to be known, nobody awaits it.
  verified.catch(() => {});
  const standing = await findPayment(deps.db, binding, payerKey(binding));
  const known = standing.payment;
  if (known) await requireRight(collection, known);
  if (!known || known.status === 'working') {
    const before = standing.wasNamed ? await paidBefore(deps.db, binding, deps.now()) : null;
    if (before !== null) {
      await requireSignedByPayer(deps, collection);
      return before;
    }
    await collection.check?.();
    deps.gas.requireUnblocked(standing.blockedUntil, deps.now());
    const requirements = await collection.match();
    const take = async () => {
      await verified;
      return await claimed(deps, collection);
    };
    if (!standing.hasPaid || !ahead || !isGood(payment, requirements, deps.now())) return await take();
    return await deps.trust.reading({ payer: binding.payer, now: deps.now, ahead }, take);
  }
  return await claimed(deps, collection);
}

/** Binds the payment and goes on with it, once nobody else does. */
async function claimed(deps: CollectDeps, collection: Collection): Promise<Collected> {
  const { binding } = collection;
  const holder = deps.newId('lease_');
  for (let waited = 0; ; waited += POLL_MS) {
    const now = deps.now();
    const until = new Date(now.getTime() + (deps.leaseMs ?? LEASE_MS));
    const claim = await claimPayment(deps.db, binding, { holder, now, until });
    if (claim.kind === 'settled') return claim;
    if (claim.kind === 'other-request') throw boundElsewhere();
    if (claim.kind === 'other-payment') throw identifierTaken();
    if (claim.kind === 'other-body') throw keyTaken();
    if (claim.kind === 'too-many') throw tooMany();
    if (claim.kind === 'held')
      return advance(deps, collection, claim, { paymentId: binding.paymentId, holder });
    if (waited >= (deps.waitMs ?? WAIT_MS)) {
      throw unavailable(
        'Another request with this payment, its payment-identifier or Idempotency-Key is still under way: send the same payment again.',
      );
    }
    await sleep(POLL_MS);
  }
}

/**
 * A payment that was sent to the chain can be read there by anybody. Somebody who copies it must not get a private
 * answer, nor find out by trial which request it paid for. They get the error that an unknown payment would get.
 */
async function requireRight({ binding, signedAnew, verified }: Collection, known: Payment): Promise<void> {
  const same = sameRequest(known, binding);
  if (known.status === 'working' || known.status === 'stored') {
    if (!same) throw boundElsewhere();
    return;
  }
  const named = known.identifier !== null && known.identifier === binding.identifier;
  if (same && (!known.private || named || (await signedAnew?.()))) return;
  await verified;
  throw heldBack();
}

function isGood(payment: SentPayment, requirements: PaymentRequirements, now: Date): boolean {
  return wrongUnread(payment, requirements, now) === null && isSignedByKey(payment, requirements);
}

/**
 * Lets pass only a payment that the payer signed, by key or as a contract wallet does. It is never sent, so what the payer
 * holds does not matter.
 */
async function requireSignedByPayer(deps: CollectDeps, { payment, match }: Collection): Promise<void> {
  const requirements = await match();
  const { signature, authorization } = payment.signed;
  const claim = { wallet: authorization.from as Address, signature, chainId: chainOf(requirements) };
  let wrong = wrongUnread(payment, requirements, deps.now());
  if (wrong === null && !(await deps.verifyDigest({ ...claim, hash: digestOf(payment, requirements) })))
    wrong = "the signature is not the payer's";
  if (wrong !== null) throw refusedFor(wrong);
}

const refusedFor = (wrong: string) =>
  new PaymentRefused('payment-invalid', `The payment is refused: ${wrong}.`);

/** @throws PaymentRefused, AppError unavailable */
export async function verifyPayment(
  deps: CollectDeps,
  { payment, match, binding }: Pick<Collection, 'payment' | 'match' | 'binding'>,
): Promise<void> {
  const requirements = await match();
  let wrong = wrongUnread(payment, requirements, deps.now());
  try {
    if (wrong === null && !deps.trust.knows(binding.payer))
      wrong = await wrongAtAGlance(deps.terms, payment, requirements);
    wrong ??= await deps.terms.verify(payment, requirements);
  } catch (cause) {
    throw unavailable(
      'Payments cannot be verified now: nothing was charged. Send the same payment again.',
      cause,
    );
  }
  if (wrong === null) return;
  deps.trust.lose(binding.payer, deps.now());
  throw refusedFor(wrong);
}

/** @throws AppError unavailable when the payer's chain cannot be read */
async function payerOf(deps: CollectDeps, { payment, match }: Collection): Promise<PayerClass> {
  const requirements = await match();
  try {
    const payer = await deps.terms.classify(payment, requirements);
    if (payer !== null) return payer;
  } catch (cause) {
    throw unavailable('The chain does not tell what the payer is: send the same payment again.', cause);
  }
  // The payer's chain cannot be read here, so the signature is all there is to go by.
  return isSignedByKey(payment, requirements) ? HELD_BY_KEY : UNKNOWN_PAYER;
}

type Held = Extract<PaymentClaim, { kind: 'held' }>;

async function advance(
  deps: CollectDeps,
  collection: Collection,
  claim: Held,
  lease: PaymentLease,
): Promise<Collected> {
  const { leaseMs = LEASE_MS } = deps;
  const renew = () => {
    const until = new Date(deps.now().getTime() + leaseMs);
    // The next heartbeat makes up for a failed one, and the next step finds out when the lease was lost.
    renewPaymentLease(deps.db, lease, until).catch(() => {});
  };
  const beat = setInterval(renew, leaseMs / 3);
  try {
    if (claim.answer) {
      const { answer } = claim;
      return { answer, receipt: await charge(deps, collection, lease, { ...claim, answer, begun: false }) };
    }
    const done = await doWork(deps, collection, lease);
    return { answer: done.answer, receipt: await charge(deps, collection, lease, { ...claim, ...done }) };
  } finally {
    clearInterval(beat);
  }
}

/** @returns the answer, and whether the charge has begun; it has not when the deadline passed during the work */
async function doWork(
  deps: CollectDeps,
  collection: Collection,
  lease: PaymentLease,
): Promise<{ answer: PaidAnswer; begun: boolean }> {
  const { work, record, deadline, binding } = collection;
  try {
    await requireCovered(deps, collection);
    await deps.gas.reserve(binding, await payerOf(deps, collection));
  } catch (error) {
    await dropPayment(deps.db, lease);
    throw error;
  }
  deps.crash?.('payment-bound');
  let answer: PaidAnswer;
  try {
    answer = await work();
  } catch (error) {
    await releasePayment(deps.db, lease);
    await deps.gas.release(binding.paymentId);
    throw error;
  }
  deps.crash?.('payment-worked');
  const begun = deadline?.aborted !== true;
  const kept = {
    ...{ answer, now: deps.now(), record: record?.() ?? null },
    status: begun ? ('settling' as const) : ('stored' as const),
    private: collection.private?.() ?? false,
  };
  if (!(await storeAnswer(deps.db, lease, kept))) throw takenOver();
  deps.crash?.('payment-stored');
  return { answer, begun };
}

async function charge(
  deps: CollectDeps,
  collection: Collection,
  lease: PaymentLease,
  claim: Pick<Held, 'status' | 'firstSeen'> & { readonly answer: PaidAnswer; readonly begun: boolean },
): Promise<Receipt> {
  const { db, terms, now } = deps;
  const { answer, begun } = claim;
  const { payment, onPaid, onFailed, binding } = collection;
  const released = async (receipt: SettleResponse) => {
    const shown = await deps.terms.receipt(collection.binding.path, buyersReceipt(receipt));
    const alsoPaid = onPaid && ((trx: Trx) => onPaid(trx, answer));
    await releaseAnswer(db, lease.paymentId, shown, now(), alsoPaid);
    deps.trust.paid(binding.payer);
    deps.crash?.('payment-released');
    return shown;
  };
  const refused = async (reason: string, sent: Sent) => {
    const receipt = failedReceipt(collection, reason);
    const payer = await payerOf(deps, collection);
    await db.transaction().execute(async (trx) => {
      if (!(await failPayment(trx, lease, receipt, now()))) return;
      await deps.gas.fail(trx, binding, { payer, sent });
      if (onFailed) await onFailed(trx);
    });
    return new PaymentRefused('settlement-failed', SETTLEMENT_FAILED, receipt);
  };

  try {
    const requirements = await collection.match();
    collection.settling?.();
    if (claim.status === 'settling' || claim.status === 'failed') {
      const before = await reconcile(deps.terms, collection, claim.firstSeen);
      if (before.kind === 'paid') return await released(before.receipt);
      if (before.kind === 'over' || claim.status === 'failed')
        throw await refused('settlement_failed', 'transfer');
      // The payment is still open. Sending it again is safe, because its nonce lets the money move only once.
    }
    if (!begun) {
      // The gas that was reserved with the work may have been released since.
      await deps.gas.reserve(binding, await payerOf(deps, collection));
      if (!(await beginSettling(db, lease, now()))) throw takenOver();
    }
    deps.crash?.('payment-settling');
    const isFirst = claim.status === 'working' || claim.status === 'stored';
    if (
      isFirst &&
      !deps.trust.knows(binding.payer) &&
      (await holdsTooLittle(deps.terms, collection.payment, requirements))
    ) {
      // The money may have left to pay for this: whoever has the payment may send it.
      const sent = await reconcile(deps.terms, collection, claim.firstSeen);
      if (sent.kind === 'paid') return await released(sent.receipt);
      throw await refused('insufficient_funds', 'nothing');
    }
    const outcome = await terms.settle(payment, requirements);
    deps.crash?.('payment-charged');
    if (outcome.kind === 'settled') return await released(outcome.receipt);

    const after = await reconcile(deps.terms, collection, claim.firstSeen);
    if (after.kind === 'paid') return await released(after.receipt);
    if (outcome.kind === 'refused')
      throw await refused(outcome.receipt.errorReason ?? 'settlement_failed', sentBy(outcome.receipt));
    if (after.kind === 'over') throw await refused('settlement_failed', 'transfer');
    throw unavailable(UNKNOWN, outcome.cause);
  } catch (error) {
    // Releases the lease after an expected error, so that the next caller can go on. After a crash the lease has to
    // expire.
    if (error instanceof Refusal || error instanceof PaymentRefused) await releasePayment(db, lease);
    throw error;
  }
}

const SETTLEMENT_FAILED = 'The payment did not settle: nothing was delivered and nothing was charged.';

/** The receipt for the client: the protocol's fields, without internal error messages. */
function buyersReceipt({ success, transaction, network, payer, amount }: SettleResponse): Receipt {
  return { success, transaction, network, ...(payer ? { payer } : {}), ...(amount ? { amount } : {}) };
}

function failedReceipt({ binding }: Collection, errorReason: string): Receipt {
  return { success: false, errorReason, transaction: '', network: binding.network, payer: binding.payer };
}
