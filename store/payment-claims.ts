import type { Database } from './database.ts';
import {
  lazily,
  type PaidAnswer,
  type PaymentBinding,
  type PaymentStatus,
  type Receipt,
  sameRequest,
} from './payments.ts';

export type PaymentClaim =
  | {
      readonly kind: 'held';
      readonly status: Exclude<PaymentStatus, 'settled'>;
      readonly answer: PaidAnswer | null;
      readonly firstSeen: Date;
    }
  | { readonly kind: 'settled'; readonly answer: PaidAnswer; readonly receipt: Receipt }
  | { readonly kind: 'busy' }
  | { readonly kind: 'other-request' }
  /** Another payment of this payer goes by the identifier. */
  | { readonly kind: 'other-payment' };

/**
 * Binds a payment at first sight, or takes its lease over when nobody holds it, in one statement: of any number of
 * callers in any number of processes one gets it.
 */
export async function claimPayment(
  db: Database,
  binding: PaymentBinding,
  lease: { holder: string; now: Date; until: Date },
): Promise<PaymentClaim> {
  try {
    return await claim(db, binding, lease);
  } catch (error) {
    if (!isTaken(error)) throw error;
  }
  if (!(await letIdentifierGo(db, binding, lease.now))) return { kind: 'other-payment' };
  try {
    return await claim(db, binding, lease);
  } catch (error) {
    if (isTaken(error)) return { kind: 'other-payment' };
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'payments_identifier';
}

/** An identifier goes on to another payment once its first one was refused, or can neither be charged nor was. */
async function letIdentifierGo(
  db: Database,
  { payer, identifier, paymentId }: PaymentBinding,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ identifier: null })
    .where('payer', '=', payer)
    .where('identifier', '=', identifier)
    .where('payment_id', '<>', paymentId)
    .where((e) =>
      e.or([
        e('status', '=', 'failed'),
        e.and([e('status', 'in', ['working', 'stored']), e('valid_before', '<', now)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function claim(
  db: Database,
  binding: PaymentBinding,
  lease: { holder: string; now: Date; until: Date },
): Promise<PaymentClaim> {
  const { now, until: lease_until, holder: lease_holder } = lease;
  const held = await db
    .insertInto('payments')
    .values({
      payment_id: binding.paymentId,
      network: binding.network,
      payer: binding.payer,
      nonce: binding.nonce,
      method: binding.method,
      path: binding.path,
      body_hash: binding.bodyHash,
      proof: binding.proof,
      amount: binding.amount,
      asset: binding.asset,
      status: 'working',
      response: null,
      receipt: null,
      valid_before: binding.validBefore,
      lease_holder,
      lease_until,
      created_at: now,
      updated_at: lazily(now),
      identifier: binding.identifier,
    })
    .onConflict((conflict) =>
      conflict
        .column('payment_id')
        .doUpdateSet({ lease_holder, lease_until, updated_at: lazily(now) })
        .where('payments.status', '<>', 'settled')
        .where((e) => e.or([e('payments.lease_until', 'is', null), e('payments.lease_until', '<=', now)]))
        .where('payments.method', '=', binding.method)
        .where('payments.path', '=', binding.path)
        .where('payments.body_hash', '=', binding.bodyHash)
        .where('payments.proof', '=', binding.proof),
    )
    .returning(['status', 'response', 'created_at'])
    .executeTakeFirst();
  if (held) {
    const status = held.status as Exclude<PaymentStatus, 'settled'>;
    return { kind: 'held', status, answer: held.response as PaidAnswer | null, firstSeen: held.created_at };
  }
  const row = await db
    .selectFrom('payments')
    .select(['method', 'path', 'body_hash', 'proof', 'status', 'response', 'receipt'])
    .where('payment_id', '=', binding.paymentId)
    .executeTakeFirstOrThrow();
  if (!sameRequest({ ...row, bodyHash: row.body_hash }, binding)) return { kind: 'other-request' };
  if (row.status !== 'settled') return { kind: 'busy' };
  return { kind: 'settled', answer: row.response as PaidAnswer, receipt: row.receipt as Receipt };
}
