import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentRequirements, SettleResponse } from '@x402/core/types';
import { AppError } from '../../agents/errors.ts';
import type { Database, Trx } from '../../store/database.ts';
import { claimPayment, type PaymentClaim } from '../../store/payment-claims.ts';
import {
  beginSettling,
  failPayment,
  findPayment,
  type PaidAnswer,
  type PaymentBinding,
  type PaymentLease,
  type Receipt,
  releaseAnswer,
  releasePayment,
  renewPaymentLease,
  sameRequest,
  storeAnswer,
} from '../../store/payments.ts';
import type { SignedRecord } from '../../store/records.ts';
import type { SentPayment } from './payload.ts';
import { reconcile, UNKNOWN } from './reconcile.ts';
import { boundElsewhere, identifierTaken, PaymentRefused, takenOver, unavailable } from './refused.ts';
import type { PaymentTerms } from './terms.ts';

export interface CollectDeps {
  readonly db: Database;
  readonly terms: PaymentTerms;
  readonly now: () => Date;
  readonly newId: (prefix: string) => string;
  /** A named point between two steps, at which a test may end everything. */
  readonly crash?: (point: PaymentCrashPoint) => void;
  /** How long a holder that died keeps others out; 12,000 when left out. */
  readonly leaseMs?: number;
  /** How long a request waits for another with the same payment; 25,000 when left out. */
  readonly waitMs?: number;
}

export type PaymentCrashPoint =
  | 'payment-bound'
  | 'payment-worked'
  | 'payment-stored'
  | 'payment-settling'
  | 'payment-charged'
  | 'payment-released';

/** One paid request on its way. */
export interface Collection {
  readonly payment: SentPayment;
  readonly binding: PaymentBinding;
  /** The requirement that the payment meets; worked out once. @throws PaymentRefused */
  readonly match: () => Promise<PaymentRequirements>;
  /** Begins to read what the work will need, once the payment is well formed and while it is verified; writes nothing. */
  readonly ahead?: (() => void) | undefined;
  /** @throws whatever the work throws; nothing is charged then */
  readonly work: () => Promise<PaidAnswer>;
  /** The record that the answer tells of, once it is worked: filed together with the answer. */
  readonly record?: (() => SignedRecord | null) | undefined;
  /** What becomes true with the payment, in one transaction with it; runs once however often the request comes. */
  readonly onPaid?: (trx: Trx, answer: PaidAnswer) => Promise<void>;
  /** Aborted when the caller was told that the time is up: no charge is begun after that. */
  readonly deadline?: AbortSignal;
}

export interface Collected {
  readonly answer: PaidAnswer;
  readonly receipt: Receipt;
}

const LEASE_MS = 12_000;
const WAIT_MS = 25_000;
const POLL_MS = 100;

/**
 * Takes one payment for one piece of work: verify, bind, work, store, settle, release. At most once each, whatever
 * repeats, runs at the same time in any process, or ends in the middle: each step is a row that the next caller with
 * the same payment finds. What the chain may already have done is asked of the chain, never assumed.
 * @throws PaymentRefused, AppError unavailable, and what the work throws
 */
export async function collect(deps: CollectDeps, collection: Collection): Promise<Collected> {
  const { binding } = collection;
  // Begun at once, because most payments are new; nobody waits for it where the payment turns out to be known.
  const verified = verify(deps, collection);
  verified.catch(() => {});
  const known = await findPayment(deps.db, binding.paymentId);
  if (known && !sameRequest(known, binding)) throw boundElsewhere();
  if (!known || known.status === 'working') {
    await collection.match();
    collection.ahead?.();
    await verified;
  }

  const holder = deps.newId('lease_');
  for (let waited = 0; ; waited += POLL_MS) {
    const now = deps.now();
    const until = new Date(now.getTime() + (deps.leaseMs ?? LEASE_MS));
    const claim = await claimPayment(deps.db, binding, { holder, now, until });
    if (claim.kind === 'settled') return claim;
    if (claim.kind === 'other-request') throw boundElsewhere();
    if (claim.kind === 'other-payment') throw identifierTaken();
    if (claim.kind === 'held')
      return advance(deps, collection, claim, { paymentId: binding.paymentId, holder });
    if (waited >= (deps.waitMs ?? WAIT_MS)) {
      throw unavailable('Another request with this payment is still under way: send the same payment again.');
    }
    await sleep(POLL_MS);
  }
}

async function verify(deps: CollectDeps, { payment, match }: Collection): Promise<void> {
  const requirements = await match();
  let wrong: string | null;
  try {
    wrong = await deps.terms.verify(payment, requirements);
  } catch (cause) {
    throw unavailable(
      'Payments cannot be verified now: nothing was charged. Send the same payment again.',
      cause,
    );
  }
  if (wrong !== null) throw new PaymentRefused('payment-invalid', `The payment is refused: ${wrong}.`);
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
    // One that is missed is made up by the next; one that is lost is found out at the next step.
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

/** @returns the answer, and whether the charge is begun: not when the caller was told meanwhile that the time is up */
async function doWork(
  deps: CollectDeps,
  { work, record, deadline }: Collection,
  lease: PaymentLease,
): Promise<{ answer: PaidAnswer; begun: boolean }> {
  deps.crash?.('payment-bound');
  let answer: PaidAnswer;
  try {
    answer = await work();
  } catch (error) {
    await releasePayment(deps.db, lease);
    throw error;
  }
  deps.crash?.('payment-worked');
  const begun = deadline?.aborted !== true;
  const status = begun ? 'settling' : 'stored';
  const kept = { answer, status, now: deps.now(), record: record?.() ?? null } as const;
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
  const { payment, deadline, onPaid } = collection;
  const released = async (receipt: SettleResponse) => {
    const shown = buyersReceipt(receipt);
    const alsoPaid = onPaid && ((trx: Trx) => onPaid(trx, answer));
    await releaseAnswer(db, lease.paymentId, shown, now(), alsoPaid);
    deps.crash?.('payment-released');
    return shown;
  };
  const refused = async (reason: string) => {
    const receipt = failedReceipt(collection, reason);
    await failPayment(db, lease, receipt, now());
    return new PaymentRefused('settlement-failed', SETTLEMENT_FAILED, receipt);
  };

  try {
    const requirements = await collection.match();
    if (claim.status === 'settling' || claim.status === 'failed') {
      const before = await reconcile(deps.terms, collection, claim.firstSeen);
      if (before.kind === 'paid') return await released(before.receipt);
      if (before.kind === 'over' || claim.status === 'failed') throw await refused('settlement_failed');
      // Still open: asking again can move the money at most once, for the nonce is one.
    }
    deadline?.throwIfAborted();
    if (!begun && !(await beginSettling(db, lease, now()))) throw takenOver();
    deps.crash?.('payment-settling');
    const outcome = await terms.settle(payment, requirements);
    deps.crash?.('payment-charged');
    if (outcome.kind === 'settled') return await released(outcome.receipt);

    const after = await reconcile(deps.terms, collection, claim.firstSeen);
    if (after.kind === 'paid') return await released(after.receipt);
    if (outcome.kind === 'refused') throw await refused(outcome.receipt.errorReason ?? 'settlement_failed');
    if (after.kind === 'over') throw await refused('settlement_failed');
    throw unavailable(UNKNOWN, outcome.cause);
  } catch (error) {
    // Whoever asks next goes on from here. A crash leaves the lease to run out, as the end of a process does.
    if (error instanceof AppError || error instanceof PaymentRefused) await releasePayment(db, lease);
    throw error;
  }
}

const SETTLEMENT_FAILED = 'The payment did not settle: nothing was delivered and nothing was charged.';

/** What the client is shown: the protocol's fields, without anybody's internal message. */
function buyersReceipt({ success, transaction, network, payer, amount }: SettleResponse): Receipt {
  return { success, transaction, network, ...(payer ? { payer } : {}), ...(amount ? { amount } : {}) };
}

function failedReceipt({ binding }: Collection, errorReason: string): Receipt {
  return { success: false, errorReason, transaction: '', network: binding.network, payer: binding.payer };
}
