import { type Database, run, type Statement } from './database.ts';
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

const CLAIM: Statement = {
  name: 'claim-payment',
  text: `
    insert into payments as p (payment_id, network, payer, nonce, method, path, body_hash, proof, amount, asset, status,
      valid_before, lease_holder, lease_until, created_at, updated_at, identifier)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'working', $11, $12, $13, $14, ${lazily('$14')}, $15)
    on conflict (payment_id) do update
      set lease_holder = excluded.lease_holder, lease_until = excluded.lease_until, updated_at = ${lazily('$14')}
      where p.status <> 'settled' and (p.lease_until is null or p.lease_until <= $14)
        and p.method = $5 and p.path = $6 and p.body_hash = $7 and p.proof = $8
    returning p.status, p.response, p.created_at`,
};

interface HeldRow {
  readonly status: Exclude<PaymentStatus, 'settled'>;
  readonly response: PaidAnswer | null;
  readonly created_at: Date;
}

async function claim(
  db: Database,
  binding: PaymentBinding,
  { holder, now, until }: { holder: string; now: Date; until: Date },
): Promise<PaymentClaim> {
  const { paymentId, network, payer, nonce, method, path, bodyHash, proof, amount, asset } = binding;
  const { validBefore, identifier } = binding;
  const [held] = await run<HeldRow>(db, CLAIM, [
    ...[paymentId, network, payer, nonce, method, path, bodyHash, proof, amount, asset],
    ...[validBefore, holder, until, now, identifier],
  ]);
  if (held) {
    const { status, response, created_at } = held;
    return { kind: 'held', status, answer: response, firstSeen: created_at };
  }
  const row = await db
    .selectFrom('payments')
    .select(['method', 'path', 'body_hash', 'proof', 'status', 'response', 'receipt'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  if (!sameRequest({ ...row, bodyHash: row.body_hash }, binding)) return { kind: 'other-request' };
  if (row.status !== 'settled') return { kind: 'busy' };
  return { kind: 'settled', answer: row.response as PaidAnswer, receipt: row.receipt as Receipt };
}
