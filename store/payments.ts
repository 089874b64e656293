import { type Database, run, type Statement, type Trx } from './database.ts';
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

const FIND: Statement = {
  name: 'find-payment',
  text: `select method, path, body_hash as "bodyHash", proof, status from payments where payment_id = $1`,
};

export async function findPayment(db: Database, paymentId: string): Promise<Payment | null> {
  return (await run<Payment>(db, FIND, [paymentId]))[0] ?? null;
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
 * @param time an expression, such as `$1`
 */
export const lazily = (time: string): string =>
  `case when set_config('synchronous_commit', 'off', true) is not null then ${time}::timestamptz end`;

/** Lengthens the lease. False when somebody else has taken it. */
export async function renewPaymentLease(db: Database, lease: PaymentLease, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await holding(db, lease).set({ lease_until: until }).executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Lets the payment go as it is: the next request with it takes it up. */
export async function releasePayment(db: Database, lease: PaymentLease): Promise<void> {
  await holding(db, lease).set({ lease_until: null, lease_holder: null }).execute();
}

const HELD = `update payments set status = $1, response = $2::jsonb, updated_at = $3
  where payment_id = $4 and lease_holder = $5 and status = 'working' returning payment_id`;
const STORE: Statement = { name: 'store-answer', text: HELD };
const STORE_AND_FILE: Statement = {
  name: 'store-answer-and-file',
  text: `with held as (${HELD}), filed as (
    insert into records (record_id, kind, subject, summary, body, evidence, hash, signature, created_at)
    select $6::text, $7::text, $8::text, $9::text, $10::jsonb, $11::jsonb, $12::text, $13::text, $14::timestamptz
    from held)
    select payment_id from held`,
};

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
  const held = [status, JSON.stringify(answer), now, lease.paymentId, lease.holder];
  if (signed === null) return (await run(db, STORE, held)).length === 1;
  const { record, hash, signature, evidence, handle } = signed;
  if (handle !== null || record.parties.length > 0)
    throw new Error(`${record.recordId} is somebody's activity`);
  const { recordId, kind, subject, summary, issuedAt } = record;
  const because = evidence === null ? null : JSON.stringify(evidence);
  const filed = [
    recordId,
    kind,
    subject,
    summary,
    JSON.stringify(record),
    because,
    hash,
    signature,
    issuedAt,
  ];
  return (await run(db, STORE_AND_FILE, [...held, ...filed])).length === 1;
}

/** From here on the charge may have happened. False when somebody else has taken the lease. */
export async function beginSettling(db: Database, lease: PaymentLease, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await holding(db, lease)
    .set({ status: 'settling', updated_at: now })
    .where('status', 'in', ['stored', 'settling', 'failed'])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const release = (name: string, time: string): Statement => ({
  name,
  text: `update payments
    set status = 'settled', receipt = $1::jsonb, lease_until = null, lease_holder = null, updated_at = ${time}
    where payment_id = $3 and status in ('settling', 'failed') returning payment_id`,
});
const RELEASE = release('release-answer', lazily('$2'));
const RELEASE_WITH_MORE = release('release-answer-with-more', '$2::timestamptz');

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
  const values = [JSON.stringify(receipt), now, paymentId];
  if (!alsoPaid) {
    await run(db, RELEASE, values);
    return;
  }
  await db.transaction().execute(async (trx) => {
    if ((await run(trx, RELEASE_WITH_MORE, values)).length === 1) await alsoPaid(trx);
  });
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
