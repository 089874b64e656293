import { type Selectable, sql } from 'kysely';
import { AppError } from '../agents/errors.ts';
import type { Micro } from '../agents/money.ts';
import type { Database, Trx } from './database.ts';
import { lockPayment, moneyIsAway } from './reversals.ts';
import type { Tables } from './tables.ts';

export type CheckoutRow = Selectable<Tables['checkouts']>;

export interface NewCheckout {
  readonly id: string;
  readonly kind: 'agent' | 'membership' | 'listing';
  /** Wallet, lower case. */
  readonly owner: string;
  /** Agent checkouts only. */
  readonly handle: string | null;
  readonly tier: 'AGENT' | 'EXECUTOR' | null;
  readonly depth: string | null;
  readonly amount: Micro;
  /** Default `card`. */
  readonly pay?: 'card' | 'usdc';
  /** What its payment is known by, where that is known beforehand. */
  readonly session?: string;
  readonly details: object;
  readonly expiresAt: Date;
  readonly now: Date;
}

/**
 * Opens a checkout. A handle is held by one open or minted agent checkout, whoever comes at once.
 * @throws AppError conflict when the handle is taken
 */
export async function createCheckout(trx: Trx, checkout: NewCheckout): Promise<CheckoutRow> {
  const row = await trx
    .insertInto('checkouts')
    .values({
      id: checkout.id,
      kind: checkout.kind,
      owner: checkout.owner,
      handle: checkout.handle,
      tier: checkout.tier,
      depth: checkout.depth,
      amount: checkout.amount,
      status: 'awaiting-payment',
      pay: checkout.pay ?? 'card',
      processor_session: checkout.session ?? null,
      checkout_url: null,
      details: JSON.stringify(checkout.details),
      created_at: checkout.now,
      expires_at: checkout.expiresAt,
      paid_at: null,
    })
    .onConflict((oc) =>
      oc
        .column('handle')
        .where('kind', '=', 'agent')
        .where('status', 'in', ['awaiting-payment', 'paid', 'minting', 'minted'])
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new AppError('conflict', `The handle "${checkout.handle}" is taken: choose another.`);
  return row;
}

/** Keeps the card processor's session of a checkout. */
export async function attachSession(
  db: Database | Trx,
  checkoutId: string,
  session: { sessionId: string; url: string },
): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ processor_session: session.sessionId, checkout_url: session.url })
    .where('id', '=', checkoutId)
    .execute();
}

export async function findCheckout(db: Database | Trx, id: string): Promise<CheckoutRow | null> {
  return (await db.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function findCheckoutBySession(
  db: Database | Trx,
  sessionId: string,
): Promise<CheckoutRow | null> {
  const row = await db
    .selectFrom('checkouts')
    .selectAll()
    .where('processor_session', '=', sessionId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * `handle-taken`: paid after it ran out, when another checkout held the handle; that money must be returned.
 * `differs`: the amount, currency or session is not the checkout's, and nothing was booked.
 */
export type Payment = 'paid' | 'already' | 'handle-taken' | 'differs' | 'unknown-checkout';

/**
 * Books the payment of a checkout, once. Money that comes after expiry is still money taken, so it is still served,
 * unless its handle has gone to another checkout meanwhile.
 * @param paid what the processor says was paid: micro-dollars, lower-case currency, the session's id
 */
export async function markPaid(
  trx: Trx,
  paid: {
    checkoutId: string;
    sessionId: string | null;
    amount: Micro | null;
    currency: string | null;
    /** The card processor's own id of the payment: what refunds and disputes will name. */
    paymentIntent?: string | null;
    now: Date;
  },
): Promise<Payment> {
  const { paymentIntent = null } = paid;
  if (paymentIntent !== null) await lockPayment(trx, paymentIntent);
  const row = await trx
    .selectFrom('checkouts')
    .selectAll()
    .where('id', '=', paid.checkoutId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return 'unknown-checkout';
  // A session that was opened and never attached (the process ended between) is known by the checkout it names.
  const session = row.processor_session ?? paid.sessionId;
  if (row.amount !== paid.amount || paid.currency !== 'usd' || session !== paid.sessionId) return 'differs';
  if (row.paid_at !== null) return 'already';
  const taken =
    row.status === 'expired' && row.kind === 'agent' && (await handleIsHeld(trx, row.handle as string));
  await trx
    .updateTable('checkouts')
    .set({
      status: taken ? 'failed' : 'paid',
      paid_at: paid.now,
      processor_session: session,
      payment_intent: paymentIntent,
      // A refund or a dispute may be told before the payment itself.
      suspended_at: paymentIntent !== null && (await moneyIsAway(trx, paymentIntent)) ? paid.now : null,
    })
    .where('id', '=', paid.checkoutId)
    .execute();
  return taken ? 'handle-taken' : 'paid';
}

/** Gives a checkout's handle back when no payment page could be opened for it. */
export async function withdrawCheckout(db: Database | Trx, checkoutId: string): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ status: 'expired' })
    .where('id', '=', checkoutId)
    .where('status', '=', 'awaiting-payment')
    .execute();
}

/**
 * Lets the hold of a USDC checkout on a handle go once its payment can no longer be collected: refused, never begun,
 * or over for a minute (for a day, where it is not known whether the money moved).
 */
export async function letLapsedHoldGo(trx: Trx, handle: string, now: Date): Promise<void> {
  const over = (ms: number): Date => new Date(now.getTime() - ms);
  await sql`
    update checkouts set status = 'expired'
    where handle = ${handle} and kind = 'agent' and pay = 'usdc' and status = 'awaiting-payment'
      and not exists (
        select from payments p
        where 'x402:' || p.payment_id = checkouts.processor_session
          and (p.status in ('working', 'stored') and p.valid_before > ${over(60_000)}
            or p.status = 'settling' and p.valid_before > ${over(86_400_000)}
            or p.status = 'settled'))`.execute(trx);
}

/** Whether an open or minted agent checkout holds a handle. */
export async function handleIsHeld(db: Database | Trx, handle: string): Promise<boolean> {
  const row = await db
    .selectFrom('checkouts')
    .select('id')
    .where('handle', '=', handle)
    .where('kind', '=', 'agent')
    .where('status', 'in', ['awaiting-payment', 'paid', 'minting', 'minted'])
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends a checkout that nobody paid. False when it was paid, or had ended. */
export async function expireCheckout(trx: Trx, checkoutId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('checkouts')
    .set({ status: 'expired' })
    .where('id', '=', checkoutId)
    .where('status', '=', 'awaiting-payment')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Takes a webhook event once: false when its id is known. Its effect belongs in the same transaction. */
export async function recordCardEvent(
  trx: Trx,
  event: { eventId: string; type: string; sessionId: string | null; now: Date },
): Promise<boolean> {
  const row = await trx
    .insertInto('card_events')
    .values({
      event_id: event.eventId,
      type: event.type,
      session_id: event.sessionId,
      received_at: event.now,
    })
    .onConflict((oc) => oc.column('event_id').doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Gives a paid checkout the index of its agent's session key, once: the key must be known before the mint, and a mint
 * that is tried again must be for the same key.
 */
export async function assignSessionKey(trx: Trx, checkoutId: string): Promise<void> {
  await sql`
    update checkouts
    set details = details || jsonb_build_object('sessionKeyIndex', nextval('session_key_index')::text)
    where id = ${checkoutId} and not details ? 'sessionKeyIndex'`.execute(trx);
}
