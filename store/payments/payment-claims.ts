import type { Selectable } from 'kysely';
import { type Database, run, type Statement } from '../database.ts';
import { KEY_KEPT_MS } from '../http/idempotency.ts';
import { parsed, UnreadableRow } from '../parsed.ts';
import { unpackAnswer } from '../records/packed-columns.ts';
import type { Tables } from '../tables.ts';
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
  /** The payer has as many payments under way as one payer may have. */
  | { readonly kind: 'too-many' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'other-request' }
  /** Another payment of this payer uses the identifier, for another request. */
  | { readonly kind: 'other-payment' }
  /** Another payment of this payer paid for the same act with another body, under the same `Idempotency-Key`. */
  | { readonly kind: 'other-body' };

/**
 * Binds a new payment to its request, or takes the lease of a known one when nobody holds it, and names the purchase. It is
 * one statement, so that of any number of callers in any number of processes one gets the lease.
 */
export async function claimPayment(
  db: Database,
  binding: PaymentBinding,
  lease: { holder: string; now: Date; until: Date },
): Promise<PaymentClaim> {
  for (;;) {
    try {
      return await claim(db, binding, lease);
    } catch (error) {
      const name = nameTaken(error);
      if (name === null) throw error;
      if (!(await letNameGo(db, binding, name, lease.now))) return await claimOfOther(db, binding, name);
    }
  }
}

/** By what a payer names a purchase, so that it is paid for once. */
type PurchaseName = 'identifier' | 'idempotency_key';

const nameOf = (binding: PaymentBinding, name: PurchaseName): string | null =>
  name === 'identifier' ? binding.identifier : binding.idempotencyKey;

/** What another payment of this payer that was charged bought, for the same request and by the same name; null for none. */
export async function paidBefore(
  db: Database,
  binding: PaymentBinding,
  now: Date,
): Promise<Extract<PaymentClaim, { kind: 'settled' }> | null> {
  const { paymentId, payer, method, path, bodyHash, identifier, idempotencyKey } = binding;
  const other = await db
    .selectFrom('payments')
    .select(['payment_id', 'status', 'response', 'receipt'])
    .where('payer', '=', payer)
    .where('payment_id', '<>', paymentId)
    .where('status', '=', 'settled')
    .where('method', '=', method)
    .where('path', '=', path)
    .where('body_hash', '=', bodyHash)
    .where((e) =>
      e.or([
        e('identifier', '=', identifier),
        e.and([
          e('idempotency_key', '=', idempotencyKey),
          e('created_at', '>=', new Date(now.getTime() - KEY_KEPT_MS)),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return other === undefined ? null : settled(other);
}

/**
 * What the payment that has the name brings to another one of its payer, who has lost it: its answer, for the same
 * request, so that a purchase is paid for once. The other payment is never sent.
 */
async function claimOfOther(
  db: Database,
  binding: PaymentBinding,
  name: PurchaseName,
): Promise<PaymentClaim> {
  const other = await db
    .selectFrom('payments')
    .select(['payment_id', 'method', 'path', 'body_hash', 'status', 'response', 'receipt'])
    .where('payer', '=', binding.payer)
    .where(name, '=', nameOf(binding, name))
    .executeTakeFirst();
  // It was given up just now, and is free at the next attempt.
  if (!other) return { kind: 'busy' };
  const { method, path, body_hash } = other;
  if (method !== binding.method || path !== binding.path || body_hash !== binding.bodyHash)
    return { kind: name === 'identifier' ? 'other-payment' : 'other-body' };
  return standing(other);
}

function nameTaken(error: unknown): PurchaseName | null {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code !== '23505') return null;
  if (constraint === 'payments_identifier') return 'identifier';
  return constraint === 'payments_idempotency_key' ? 'idempotency_key' : null;
}

/**
 * Frees a name for another payment, once the payment that has it failed, or expired without having been charged, or its
 * work was refused. What was refused was never charged and is deleted, so that it, too, is answered by the other one when
 * it comes again.
 */
async function letNameGo(
  db: Database,
  binding: PaymentBinding,
  name: PurchaseName,
  now: Date,
): Promise<boolean> {
  const { payer, paymentId } = binding;
  const refused = await db
    .deleteFrom('payments')
    .where('payer', '=', payer)
    .where(name, '=', nameOf(binding, name))
    .where('payment_id', '<>', paymentId)
    .where('status', '=', 'working')
    .where('lease_until', 'is', null)
    .executeTakeFirst();
  if (refused.numDeletedRows === 1n) return true;
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ [name]: null })
    .where('payer', '=', payer)
    .where(name, '=', nameOf(binding, name))
    .where('payment_id', '<>', paymentId)
    .where((e) =>
      e.or([
        e('status', '=', 'failed'),
        e.and([e('status', 'in', ['working', 'stored']), e('valid_before', '<', now)]),
        ...(name === 'identifier'
          ? []
          : [
              e.and([
                e('status', '=', 'settled'),
                e('created_at', '<', new Date(now.getTime() - KEY_KEPT_MS)),
              ]),
            ]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * How many payments of one payer may be under way at once. A single key can cause that many failures before it is
 * blocked.
 */
const UNDER_WAY = 32;

/**
 * A payment goes by the name that it came with last, until it is sent to the chain: whoever reads it there could give it
 * the names of later purchases.
 */
const renamed = (name: PurchaseName): string =>
  `case when p.status in ('working', 'stored') then coalesce(excluded.${name}, p.${name}) else p.${name} end`;

const CLAIM: Statement = {
  name: 'claim-payment',
  text: `
    insert into payments as p (payment_id, network, payer, nonce, method, path, body_hash, proof, amount, asset, status,
      valid_before, lease_holder, lease_until, created_at, updated_at, identifier, pay_to, valid_after,
      idempotency_key)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9::bigint, $10, 'working', $11::timestamptz, $12, $13::timestamptz,
      $14::timestamptz, ${lazily('$14')}, $15, $16, $17::timestamptz, $18
    where (select count(*) from payments o where o.payer = $3 and o.status in ('working', 'stored', 'settling')
        and o.lease_until > $14) < ${UNDER_WAY}
      or exists (select from payments o where o.payment_id = $1)
    on conflict (payment_id) do update
      set lease_holder = excluded.lease_holder, lease_until = excluded.lease_until, updated_at = ${lazily('$14')},
        identifier = ${renamed('identifier')}, idempotency_key = ${renamed('idempotency_key')}
      where p.status <> 'settled' and (p.lease_until is null or p.lease_until <= $14)
        and p.method = $5 and p.path = $6 and p.body_hash = $7 and p.proof = $8
    returning p.status, p.response, p.created_at`,
};

/** What other payments of one payer on one network come to that are under way, in atomic units of the token. */
export interface UnderWay {
  readonly all: bigint;
  /** Of those that were bound earlier and are not being charged yet. */
  readonly ahead: bigint;
}

export async function amountUnderWay(
  db: Database,
  { paymentId, payer, network }: Pick<PaymentBinding, 'paymentId' | 'payer' | 'network'>,
  now: Date,
): Promise<UnderWay> {
  const [row] = await run<{ all: string; ahead: string }>(db, UNDER_WAY_AMOUNT, [
    ...[payer, network, paymentId, now],
  ]);
  return { all: BigInt(row!.all), ahead: BigInt(row!.ahead) };
}

const UNDER_WAY_AMOUNT: Statement = {
  name: 'amount-under-way',
  text: `select coalesce(sum(o.amount), 0)::text as all, coalesce(sum(o.amount) filter (where o.status <> 'settling'
        and (o.created_at, o.payment_id) < (select created_at, payment_id from payments where payment_id = $3)), 0)::text
        as ahead
    from payments o
    where o.payer = $1 and o.network = $2 and o.payment_id <> $3 and o.status in ('working', 'stored', 'settling')
      and o.lease_until > $4`,
};

interface HeldRow {
  readonly status: Exclude<PaymentStatus, 'settled'>;
  readonly response: Buffer | null;
  readonly created_at: Date;
}

async function claim(
  db: Database,
  binding: PaymentBinding,
  { holder, now, until }: { holder: string; now: Date; until: Date },
): Promise<PaymentClaim> {
  const { paymentId, network, payer, nonce, method, path, bodyHash, proof, amount, asset } = binding;
  const { validBefore, identifier, payTo, validAfter, idempotencyKey } = binding;
  const [held] = await run<HeldRow>(db, CLAIM, [
    ...[paymentId, network, payer, nonce, method, path, bodyHash, proof, amount, asset],
    ...[validBefore, holder, until, now, identifier, payTo, validAfter, idempotencyKey],
  ]);
  if (held) {
    const { status, response, created_at } = held;
    return {
      kind: 'held',
      status,
      answer: response === null ? null : unpackAnswer(response),
      firstSeen: created_at,
    };
  }
  const row = await db
    .selectFrom('payments')
    .select(['payment_id', 'method', 'path', 'body_hash', 'proof', 'status', 'response', 'receipt'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
  if (!row) return { kind: 'too-many' };
  if (!sameRequest({ ...row, bodyHash: row.body_hash }, binding)) return { kind: 'other-request' };
  if (row.status !== 'settled') await nameUnderWay(db, binding);
  return standing(row);
}

/**
 * Gives a payment that another request advances the names that it came without there, whoever has its lease; as in a claim,
 * until it is sent to the chain.
 */
async function nameUnderWay(db: Database, binding: PaymentBinding): Promise<void> {
  for (const name of ['identifier', 'idempotency_key'] as const) {
    const given = nameOf(binding, name);
    if (given === null) continue;
    await db
      .updateTable('payments')
      .set({ [name]: given })
      .where('payment_id', '=', binding.paymentId)
      .where(name, 'is', null)
      .where('status', 'in', ['working', 'stored'])
      .execute();
  }
}

type Row = Pick<Selectable<Tables['payments']>, 'payment_id' | 'status' | 'response' | 'receipt'>;

function standing(row: Row): PaymentClaim {
  return row.status === 'settled' ? settled(row) : { kind: 'busy' };
}

function settled(row: Row): Extract<PaymentClaim, { kind: 'settled' }> {
  const { response, receipt } = parsed('payments', row);
  if (response === null || receipt === null)
    throw new UnreadableRow(`payment ${row.payment_id} is settled without its answer`);
  return { kind: 'settled', answer: unpackAnswer(response), receipt };
}
