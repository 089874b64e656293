import { sql } from 'kysely';
import type { Database, Trx } from './database.ts';
import type { SignedRecord } from './records.ts';

/**
 * What became of a payment. `working`: bound to a request, the work is not done. `stored`: the answer is kept, nobody
 * has it and nothing is charged. `settling`: the charge was asked for. `settled`: charged and released. `failed`: not
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
  /** With query string. */
  readonly path: string;
  /** sha-256 of the raw body, hex. */
  readonly bodyHash: string;
  /** sha-256 of the authorisation and its signature: an id alone, which the chain shows to anybody, is no payment. */
  readonly proof: string;
  /** Micro-dollars. */
  readonly amount: bigint;
  readonly asset: string;
  readonly validBefore: Date;
  /** What the payer calls the purchase (x402's `payment-identifier`): one payment goes by it. */
  readonly identifier: string | null;
}

/** An answer as it goes out, byte for byte. */
export interface PaidAnswer {
  readonly status: number;
  readonly body: string;
}

/** What the facilitator said of the settlement. */
export type Receipt = Readonly<Record<string, unknown>>;

/** The right to move one payment on, until the lease is over and somebody else takes it. */
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
}

export async function findPayment(db: Database, paymentId: string): Promise<Payment | null> {
  const row = await db
    .selectFrom('payments')
    .select(['method', 'path', 'body_hash', 'proof', 'status'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    method: row.method,
    path: row.path,
    bodyHash: row.body_hash,
    proof: row.proof,
    status: row.status,
  };
}

/** True when both are one payment for one request. */
export function sameRequest(
  a: Pick<Payment, 'method' | 'path' | 'bodyHash' | 'proof'>,
  b: Pick<Payment, 'method' | 'path' | 'bodyHash' | 'proof'>,
): boolean {
  return a.method === b.method && a.path === b.path && a.bodyHash === b.bodyHash && a.proof === b.proof;
}

/**
 * A time to be written, whose transaction is committed without waiting for the disk: for steps that may be forgotten
 * with the last half second, should the database's machine fail, because nothing has been charged yet, or the chain
 * tells what was.
 */
export const lazily = (time: Date) =>
  sql<Date>`case when set_config('synchronous_commit', 'off', true) is not null then ${time}::timestamptz end`;

/** Lengthens the lease. False when somebody else has taken it. */
export async function renewPaymentLease(db: Database, lease: PaymentLease, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await holding(db, lease).set({ lease_until: until }).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Lets the payment go as it is: the next request with it takes it up. */
export async function releasePayment(db: Database, lease: PaymentLease): Promise<void> {
  await holding(db, lease).set({ lease_until: null, lease_holder: null }).execute();
}

/**
 * Keeps the answer, unreleased, and the record it tells of: `settling` when the charge follows at once, else `stored`.
 * One statement. False when somebody else has taken the lease, and then nothing is kept.
 */
export async function storeAnswer(
  db: Database,
  lease: PaymentLease,
  kept: {
    readonly answer: PaidAnswer;
    readonly status: 'stored' | 'settling';
    readonly now: Date;
    /** Of a stranger's determination: nobody's activity. */
    readonly record: SignedRecord | null;
  },
): Promise<boolean> {
  const { answer, status, now, record: signed } = kept;
  const held = sql`update payments
    set status = ${status}, response = ${JSON.stringify(answer)}::jsonb, updated_at = ${now}
    where payment_id = ${lease.paymentId} and lease_holder = ${lease.holder} and status = 'working'
    returning payment_id`;
  if (signed === null) return (await held.execute(db)).rows.length === 1;
  const { record, hash, signature, evidence, handle } = signed;
  if (handle !== null || record.parties.length > 0)
    throw new Error(`${record.recordId} is somebody's activity`);
  const { rows } = await sql`with held as (${held}), filed as (
    insert into records (record_id, kind, subject, summary, body, evidence, hash, signature, created_at)
    select ${record.recordId}::text, ${record.kind}::text, ${record.subject}::text, ${record.summary}::text,
      ${JSON.stringify(record)}::jsonb, ${evidence === null ? null : JSON.stringify(evidence)}::jsonb,
      ${hash}::text, ${signature}::text, ${record.issuedAt}::timestamptz
    from held)
    select payment_id from held`.execute(db);
  return rows.length === 1;
}

/** From here on the charge may have happened. False when somebody else has taken the lease. */
export async function beginSettling(db: Database, lease: PaymentLease, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await holding(db, lease)
    .set({ status: 'settling', updated_at: now })
    .where('status', 'in', ['stored', 'settling', 'failed'])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * The charge happened, whoever holds the lease: the answer may go out.
 * @param alsoPaid what else becomes true with the payment, in the same transaction and once
 */
export async function releaseAnswer(
  db: Database,
  paymentId: string,
  receipt: Receipt,
  now: Date,
  alsoPaid?: (trx: Trx) => Promise<void>,
): Promise<void> {
  const release = async (on: Database | Trx, time: Date | ReturnType<typeof lazily>) => {
    const { numUpdatedRows } = await on
      .updateTable('payments')
      .set({
        status: 'settled',
        receipt: JSON.stringify(receipt),
        lease_until: null,
        lease_holder: null,
        updated_at: time,
      })
      .where('payment_id', '=', paymentId)
      .where('status', 'in', ['settling', 'failed'])
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  };
  if (alsoPaid) {
    await db.transaction().execute(async (trx) => {
      if (await release(trx, now)) await alsoPaid(trx);
    });
  } else await release(db, lazily(now));
}

/** The charge was refused and did not happen. */
export async function failPayment(
  db: Database,
  lease: PaymentLease,
  receipt: Receipt,
  now: Date,
): Promise<void> {
  await holding(db, lease)
    .set({
      status: 'failed',
      receipt: JSON.stringify(receipt),
      lease_until: null,
      lease_holder: null,
      updated_at: now,
    })
    .where('status', '=', 'settling')
    .execute();
}

function holding(db: Database | Trx, lease: PaymentLease) {
  return db
    .updateTable('payments')
    .where('payment_id', '=', lease.paymentId)
    .where('lease_holder', '=', lease.holder);
}
