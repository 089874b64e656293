import { sha256Hex } from '../../agents/canonical.ts';
import { type Database, run, type Statement, type Trx } from '../database.ts';
import type { PaidAnswer, Receipt, SignedRecord, UnfiledRecord } from '../json-columns.ts';
import { packAnswer, packEvidence, packRecord } from '../records/packed-columns.ts';

export type { PaidAnswer, Receipt } from '../json-columns.ts';

/**
 * How far a payment has come. `working`: bound to a request; the work is not done. `stored`: the answer is kept, nobody
 * has it, and nothing is charged. `settling`: the charge was asked for. `settled`: charged and released. `failed`: not
 * charged, not delivered.
 */
export type PaymentStatus = 'working' | 'stored' | 'settling' | 'settled' | 'failed';

/** A payment and the one request that it pays for. */
export interface PaymentBinding {
  /** `network:payer:nonce`, lower case. */
  readonly paymentId: string;
  /** CAIP-2. */
  readonly network: string;
  readonly payer: string;
  readonly nonce: string;
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  /** sha-256 of the raw body, hex. */
  readonly bodyHash: string;
  /**
   * sha-256 of the authorisation and its signature. The id alone, which anybody can read on the chain, is no proof of
   * payment.
   */
  readonly proof: string;
  /** Micro-dollars. */
  readonly amount: bigint;
  readonly asset: string;
  /** The payee. Together with the other fields it identifies the transfer on the chain. */
  readonly payTo: string;
  readonly validAfter: Date;
  readonly validBefore: Date;
  /** sha-256 of the payer's own id for the purchase (x402's `payment-identifier`). Only one payment may use it. */
  readonly identifier: string | null;
  /**
   * sha-256 of the payer, the method, the path and the `Idempotency-Key` of the request. Only one payment may use it. It
   * is no secret, as the identifier is, and so proves nothing to somebody who copied a payment from the chain.
   */
  readonly idempotencyKey: string | null;
}

/** A request that its caller gave an `Idempotency-Key`. */
export interface NamedRequest extends Pick<PaymentBinding, 'method' | 'path' | 'bodyHash'> {
  readonly key: string;
}

/** By what a payment of this payer for such a request is known. */
export function purchaseKey(payer: string, { method, path, key }: Omit<NamedRequest, 'bodyHash'>): string {
  return sha256Hex(JSON.stringify([payer, method, path, key]));
}

/** The right to advance one payment, until the lease expires and somebody else takes it. */
export interface PaymentLease {
  readonly paymentId: string;
  readonly holder: string;
}

export interface Payment {
  readonly method: string;
  readonly path: string;
  readonly bodyHash: string;
  readonly proof: string;
  readonly status: PaymentStatus;
  /** The answer is filed nowhere, so it must not go to somebody who only copied the payment from the chain. */
  readonly private: boolean;
  /** sha-256, as in the binding. */
  readonly identifier: string | null;
}

/** What the store knows about a payment that comes in, and about its payer. */
export interface PaymentStanding {
  /** Null when the payment is new. */
  readonly payment: Payment | null;
  /** True when a payment that was charged goes by a name of this one. */
  readonly wasNamed: boolean;
  /** True when the payer was charged for an earlier payment. */
  readonly hasPaid: boolean;
  /** Until when failed settlements block the payer; null when they do not. */
  readonly blockedUntil: Date | null;
}

const FIND: Statement = {
  name: 'find-payment',
  text: `select p.method, p.path, p.body_hash as "bodyHash", p.proof, p.status, p.private, p.identifier,
      exists (select from payments o where o.payer = $2 and o.status = 'settled') as "hasPaid",
      exists (select from payments o where o.payer = $2 and o.identifier = $4 and o.status = 'settled')
        or exists (select from payments o where o.idempotency_key = $5 and o.status = 'settled') as "wasNamed",
      (select blocked_until from gas_budgets where key = $3) as "blockedUntil"
    from (select $1::text as id) asked left join payments p on p.payment_id = asked.id`,
};

/** @param payerKey the key of the budget that counts the payer's own failures */
export async function findPayment(
  db: Database,
  binding: Pick<PaymentBinding, 'paymentId' | 'payer' | 'identifier' | 'idempotencyKey'>,
  payerKey: string,
): Promise<PaymentStanding> {
  interface Row extends Omit<Payment, 'status'> {
    readonly status: PaymentStatus | null;
    readonly hasPaid: boolean;
    readonly wasNamed: boolean;
    readonly blockedUntil: Date | null;
  }
  const { paymentId, payer, identifier, idempotencyKey } = binding;
  const found = await run<Row>(db, FIND, [paymentId, payer, payerKey, identifier, idempotencyKey]);
  const [{ hasPaid, wasNamed, blockedUntil, status, ...rest }] = found as [Row];
  return { payment: status === null ? null : { ...rest, status }, hasPaid, wasNamed, blockedUntil };
}

/** True when both are the same payment for the same request. */
export function sameRequest(
  a: Pick<Payment, 'method' | 'path' | 'bodyHash' | 'proof'>,
  b: Pick<Payment, 'method' | 'path' | 'bodyHash' | 'proof'>,
): boolean {
  return a.method === b.method && a.path === b.path && a.bodyHash === b.bodyHash && a.proof === b.proof;
}

/**
 * A time to write, in a transaction that commits without waiting for the disk. If the database's machine fails, the
 * last half second may be lost. So use it only for steps before a charge, or whose result the chain can tell.
 * @param time an SQL expression, such as `$1`
 */
export const lazily = (time: string): string =>
  `case when set_config('synchronous_commit', 'off', true) is not null then ${time}::timestamptz end`;

/** Extends the lease. @returns false when somebody else has taken it */
export async function renewPaymentLease(db: Database, lease: PaymentLease, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await holding(db, lease).set({ lease_until: until }).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends the lease and leaves the payment as it is. The next request with it continues. */
export async function releasePayment(db: Database, lease: PaymentLease): Promise<void> {
  await holding(db, lease).set({ lease_until: null, lease_holder: null }).execute();
}

/** Deletes a payment that was turned away before any work, so that it may come again. */
export async function dropPayment(db: Database, { paymentId, holder }: PaymentLease): Promise<void> {
  await db
    .deleteFrom('payments')
    .where('payment_id', '=', paymentId)
    .where('lease_holder', '=', holder)
    .where('status', '=', 'working')
    .execute();
}

const STORE: Statement = {
  name: 'store-answer',
  text: `update payments set status = $1, response = $2, record = $3::jsonb, record_body = $4, evidence = $5,
      private = $6, updated_at = $7
    where payment_id = $8 and lease_holder = $9 and status = 'working' returning payment_id`,
};

/**
 * Keeps the unreleased answer, and the record it names, with the payment; they are nowhere else. The status is
 * `settling` when the charge follows at once, otherwise `stored`.
 * @returns false when somebody else has taken the lease, and nothing was kept
 * @throws Error when the record could not be filed later
 */
export async function storeAnswer(
  db: Database,
  lease: PaymentLease,
  kept: {
    readonly answer: PaidAnswer;
    readonly status: 'stored' | 'settling';
    readonly now: Date;
    /** The record of a determination that a stranger asked for; it is no agent's activity. */
    readonly record: SignedRecord | null;
    /** The answer is filed nowhere, so it must not go to somebody who only copied the payment from the chain. */
    readonly private: boolean;
  },
): Promise<boolean> {
  const { answer, status, now, record } = kept;
  if (record !== null) requireFileable(record);
  const stored = await run(db, STORE, [
    status,
    packAnswer(answer),
    record === null ? null : JSON.stringify(unfiled(record)),
    record === null ? null : packRecord(record.record),
    packEvidence(record?.evidence ?? null),
    kept.private,
    now,
    lease.paymentId,
    lease.holder,
  ]);
  return stored.length === 1;
}

function unfiled({ record, hash, signature }: SignedRecord): UnfiledRecord {
  const { recordId, kind, subject, summary, issuedAt } = record;
  return { recordId, kind, subject, summary, issuedAt, hash, signature };
}

/**
 * Checks all that the table of records would refuse. It must be found out before money moves, because the record is
 * filed only afterwards.
 */
function requireFileable({ record, hash, signature, handle }: SignedRecord): void {
  const { recordId, kind, subject, summary, issuedAt, parties } = record;
  if (handle !== null || parties.length > 0) throw new Error(`${recordId} is somebody's activity`);
  for (const text of [recordId, kind, subject, summary, issuedAt, hash, signature])
    if (typeof text !== 'string' || text === '') throw new Error(`${recordId} is not complete`);
}

/** Marks the point after which the charge may have happened. @returns false when somebody else has taken the lease */
export async function beginSettling(db: Database, lease: PaymentLease, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await holding(db, lease)
    .set({ status: 'settling', updated_at: now })
    .where('status', 'in', ['stored', 'settling', 'failed'])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const release = (name: string, time: string): Statement => ({
  name,
  text: `with due as (
      select payment_id, record, record_body, evidence from payments
      where payment_id = $3 and status in ('stored', 'settling', 'failed') and response is not null for update
    ), released as (
      update payments p set status = 'settled', receipt = $1::jsonb, record = null, record_body = null, evidence = null,
        lease_until = null, lease_holder = null, updated_at = ${time}
      from due where p.payment_id = due.payment_id returning p.payment_id
    ), filed as (
      insert into records (record_id, kind, subject, summary, body, evidence, hash, signature, created_at)
      select record ->> 'recordId', record ->> 'kind', record ->> 'subject', record ->> 'summary', record_body, evidence,
        record ->> 'hash', record ->> 'signature', (record ->> 'issuedAt')::timestamptz
      from due where record is not null
    ), given_back as (
      delete from gas_reservations where payment_id = $3
    )
    select payment_id from released`,
});
const RELEASE = release('release-answer', lazily('$2'));
const RELEASE_WITH_MORE = release('release-answer-with-more', '$2::timestamptz');

/**
 * Releases the answer of a payment that was charged, whoever holds the lease, and files its record, in one transaction
 * and once.
 * @returns false when that was done before
 * @param alsoPaid writes what else follows from the payment, in the same transaction
 */
export async function releaseAnswer(
  db: Database,
  paymentId: string,
  receipt: Receipt,
  now: Date,
  alsoPaid?: (trx: Trx) => Promise<void>,
): Promise<boolean> {
  const values = [JSON.stringify(receipt), now, paymentId];
  if (!alsoPaid) return (await run(db, RELEASE, values)).length === 1;
  return await db.transaction().execute(async (trx) => {
    const released = (await run(trx, RELEASE_WITH_MORE, values)).length === 1;
    if (released) await alsoPaid(trx);
    return released;
  });
}

/**
 * Notes that the charge was refused. What else the payment held, such as a handle, becomes free. The answer stays until
 * nobody can send the payment to the chain any more.
 */
export async function failPayment(
  db: Database | Trx,
  lease: PaymentLease,
  receipt: Receipt,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await holding(db, lease)
    .set({
      status: 'failed',
      receipt: JSON.stringify(receipt),
      lease_until: null,
      lease_holder: null,
      updated_at: now,
    })
    .where('status', '=', 'settling')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function holding(db: Database | Trx, lease: PaymentLease) {
  return db
    .updateTable('payments')
    .where('payment_id', '=', lease.paymentId)
    .where('lease_holder', '=', lease.holder);
}
