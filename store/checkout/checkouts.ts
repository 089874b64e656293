import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { Refusal } from '../../agents/errors.ts';
import type { Micro } from '../../agents/money.ts';
import { lockNamed } from '../advisory-locks.ts';
import type { Database, Trx } from '../database.ts';
import { KEY_KEPT_MS } from '../http/idempotency.ts';
import type { CheckoutDetails } from '../json-columns.ts';
import { parsed, parsedOrNull, UnreadableRow } from '../parsed.ts';
import { type NamedRequest, purchaseKey } from '../payments/payments.ts';
import type { Tables } from '../tables.ts';
import { moneyIsAway } from './reversals.ts';

export type CheckoutRow = Selectable<Tables['checkouts']>;

export interface NewCheckout {
  readonly id: string;
  readonly kind: 'agent' | 'membership' | 'listing';
  /** The wallet, lower case. */
  readonly owner: string;
  /** Null except for agent checkouts. */
  readonly handle: string | null;
  readonly tier: 'AGENT' | 'EXECUTOR' | null;
  readonly depth: string | null;
  readonly amount: Micro;
  /** `card` when left out. */
  readonly pay?: 'card' | 'usdc';
  /** The session id, when it is known in advance. */
  readonly session?: string;
  readonly details: CheckoutDetails;
  readonly expiresAt: Date;
  readonly now: Date;
}

/** The details of an agent's checkout. */
export type AgentDetails = Required<
  Pick<CheckoutDetails, 'mandateText' | 'mandate' | 'mandateHash' | 'sessionKeyIndex'>
>;

/** @throws UnreadableRow for a checkout of another kind, or without a session key yet */
export function agentDetails({ id, details }: Pick<CheckoutRow, 'id' | 'details'>): AgentDetails {
  const { mandateText, mandate, mandateHash, sessionKeyIndex } = details;
  if (
    mandateText === undefined ||
    mandate === undefined ||
    mandateHash === undefined ||
    sessionKeyIndex === undefined
  )
    throw new UnreadableRow(`checkout ${id} does not say what agent it pays for`);
  return { mandateText, mandate, mandateHash, sessionKeyIndex };
}

/** The states in which a paid checkout owns its handle. */
const SOLD = ['paid', 'minting', 'minted'] as const;

/** True of a checkout that has its handle: it was paid, or is being paid in USDC. One of a handle, by an index. */
const hasHandle = (eb: ExpressionBuilder<Tables, 'checkouts'>) =>
  eb.or([
    eb('status', 'in', SOLD),
    eb.and([eb('status', '=', 'awaiting-payment'), eb('pay', '=', 'usdc'), eb('lapsed_at', 'is', null)]),
  ]);

/**
 * Opens a checkout. Any number of unpaid card pages may be open for one handle, for any wallets; the first that is paid
 * gets it. A payment in USDC holds the handle while it is being collected.
 * @throws Refusal conflict when the handle was paid for or, for a payment in USDC, while another is being collected
 */
export async function createCheckout(trx: Trx, checkout: NewCheckout): Promise<CheckoutRow> {
  if (checkout.handle !== null && (await handleIsSold(trx, checkout.handle)))
    throw await handleTaken(trx, checkout.handle, checkout);
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
      pay: checkout.pay ?? 'card',
      processor_session: checkout.session ?? null,
      checkout_url: null,
      details: JSON.stringify(checkout.details),
      created_at: checkout.now,
      expires_at: checkout.expiresAt,
      paid_at: null,
    })
    .onConflict((oc) => oc.column('handle').where('kind', '=', 'agent').where(hasHandle).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw await handleTaken(trx, checkout.handle ?? '', checkout);
  return parsed('checkouts', row);
}

/** Stores the card processor's session of a checkout. */
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
  const row = await db.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst();
  return parsedOrNull('checkouts', row);
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
  return parsedOrNull('checkouts', row);
}

/**
 * `handle-taken`: another checkout of the handle was paid before, or is being paid in USDC, so this money must be
 * returned. `unfit`: the amount, currency or session is not the checkout's, so this money must be returned, too. `differs`:
 * the same where it is not known which payment it was, or the checkout is paid already; nothing was booked.
 */
export type Payment = 'paid' | 'already' | 'handle-taken' | 'unfit' | 'differs' | 'unknown-checkout';

/**
 * Locks the handle of a checkout until the transaction ends, so that payments for one handle are booked one after the
 * other. Its checkouts themselves are not locked, because anybody opens as many as they like.
 * @returns false where nobody opened the checkout
 */
export async function lockHandleOf(trx: Trx, checkoutId: string): Promise<boolean> {
  const named = await findCheckout(trx, checkoutId);
  if (named?.kind === 'agent') await lockNamed(trx, `handle:${named.handle}`);
  return named !== null;
}

/**
 * Books the payment of a checkout, once. Money that arrives after expiry is still money taken, so it is served, unless
 * its handle has gone to another checkout meanwhile. The caller holds its handle and its actor, and tells that.
 * @param paid what the processor says was paid: micro-dollars, lower-case currency, the session's id
 */
export async function markPaid(
  trx: Trx,
  paid: {
    checkoutId: string;
    sessionId: string | null;
    amount: Micro | null;
    currency: string | null;
    /** The card processor's id of the payment, which refunds and disputes will name. Its lock is the caller's. */
    paymentIntent?: string | null;
    now: Date;
  },
): Promise<Payment> {
  const { paymentIntent = null } = paid;
  const row = await findCheckout(trx, paid.checkoutId);
  if (!row) return 'unknown-checkout';
  // When the process ended before it attached the session, the payment is matched by the checkout that the session
  // names.
  const session = row.processor_session ?? paid.sessionId;
  const fits = row.amount === paid.amount && paid.currency === 'usd' && session === paid.sessionId;
  const isBooked = paymentIntent !== null && paymentIntent === row.payment_intent;
  if (row.paid_at !== null) return fits || isBooked ? 'already' : 'differs';
  if (!fits && paymentIntent === null) return 'differs';
  const taken = row.kind === 'agent' && (await handleIsTaken(trx, row, paid.now));
  await trx
    .updateTable('checkouts')
    .set({
      paid_at: paid.now,
      processor_session: session,
      payment_intent: paymentIntent,
      // A refund or a dispute can arrive before the payment itself.
      suspended_at: paymentIntent !== null && (await moneyIsAway(trx, paymentIntent)) ? paid.now : null,
    })
    .where('id', '=', paid.checkoutId)
    .execute();
  if (!fits) return 'unfit';
  return taken ? 'handle-taken' : 'paid';
}

/** Checks whether another checkout has the handle. */
async function handleIsTaken(trx: Trx, checkout: CheckoutRow, now: Date): Promise<boolean> {
  const handle = checkout.handle as string;
  const isTaken = async (): Promise<boolean> => {
    const other = await trx
      .selectFrom('checkouts')
      .select('id')
      .where('handle', '=', handle)
      .where('kind', '=', 'agent')
      .where('id', '!=', checkout.id)
      .where(hasHandle)
      .limit(1)
      .executeTakeFirst();
    return other !== undefined;
  };
  if (!(await isTaken())) return false;
  await letLapsedHoldGo(trx, handle, now);
  return await isTaken();
}

/** The newest card pages that are still open for a handle, sorted by id. */
export async function openPages(trx: Trx, handle: string, limit: number): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('checkouts')
    .select('id')
    .where('handle', '=', handle)
    .where('kind', '=', 'agent')
    .where('pay', '=', 'card')
    .where('status', '=', 'awaiting-payment')
    .where('paid_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id).sort();
}

/**
 * Ends a USDC checkout's hold on a handle once its payment can no longer be collected: it was refused, never begun, or
 * expired a minute ago (a day ago, when it is unknown whether the money moved).
 */
export async function letLapsedHoldGo(trx: Trx, handle: string, now: Date): Promise<void> {
  const over = (ms: number): Date => new Date(now.getTime() - ms);
  await sql`
    update checkouts set lapsed_at = ${now}
    where handle = ${handle} and kind = 'agent' and pay = 'usdc' and status = 'awaiting-payment'
      and lapsed_at is null and not exists (
        select from payments p
        where 'x402:' || p.payment_id = checkouts.processor_session
          and (p.status in ('working', 'stored') and p.valid_before > ${over(60_000)}
            or p.status = 'settling' and p.valid_before > ${over(86_400_000)}
            or p.status = 'settled'))`.execute(trx);
}

/** True when the handle was paid for. */
export async function handleIsSold(db: Database | Trx, handle: string): Promise<boolean> {
  const row = await db
    .selectFrom('checkouts')
    .select('id')
    .where('handle', '=', handle)
    .where('kind', '=', 'agent')
    .where('status', 'in', SOLD)
    .executeTakeFirst();
  return row !== undefined;
}

/** True when the handle was paid for, or is being paid for in USDC. */
export async function handleIsHeld(db: Database | Trx, handle: string): Promise<boolean> {
  if (await handleIsSold(db, handle)) return true;
  const row = await db
    .selectFrom('checkouts')
    .select('id')
    .where('handle', '=', handle)
    .where('kind', '=', 'agent')
    .where('status', '=', 'awaiting-payment')
    .where('pay', '=', 'usdc')
    .where('lapsed_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * True when the payment in USDC that has the handle, or is getting it, is of this request under the same key, for as long
 * as the key brings its answer.
 */
export async function handleIsBoughtBy(
  db: Database | Trx,
  { handle, request, now }: { handle: string; request: NamedRequest; now: Date },
): Promise<boolean> {
  const payment = await db
    .selectFrom('payments')
    .select(['payer', 'idempotency_key'])
    .where('payment_id', '=', (e) =>
      e
        .selectFrom('checkouts')
        .select(sql<string>`substr(processor_session, length('x402:') + 1)`.as('payment_id'))
        .where('handle', '=', handle)
        .where('kind', '=', 'agent')
        .where('pay', '=', 'usdc')
        .where(hasHandle),
    )
    .where('method', '=', request.method)
    .where('path', '=', request.path)
    .where('body_hash', '=', request.bodyHash)
    .where('created_at', '>=', new Date(now.getTime() - KEY_KEPT_MS))
    .executeTakeFirst();
  return payment !== undefined && payment.idempotency_key === purchaseKey(payment.payer, request);
}

/**
 * Says that a handle is taken. Where the same owner has it, the answer to its payment may have been lost: it is told of its
 * checkout, so that it does not pay for another handle.
 */
export async function handleTaken(
  db: Database | Trx,
  handle: string,
  { owner, tier, depth, details }: Pick<NewCheckout, 'owner' | 'tier' | 'depth' | 'details'>,
): Promise<Refusal> {
  const row = await db
    .selectFrom('checkouts')
    .select(['id', 'tier', 'depth', 'details'])
    .where('handle', '=', handle)
    .where('kind', '=', 'agent')
    .where('owner', '=', owner)
    .where(hasHandle)
    .executeTakeFirst();
  if (row === undefined) return new Refusal('conflict', `The handle "${handle}" is taken: choose another.`);
  const own = parsed('checkouts', row);
  const { mandateHash } = details;
  const sameOrder =
    mandateHash !== undefined &&
    own.details.mandateHash === mandateHash &&
    own.tier === tier &&
    own.depth === depth;
  const said = `The checkout ${own.id} of this same wallet has the handle "${handle}": look there before you pay again.`;
  return new Refusal('conflict', said, { extra: { checkoutId: own.id, sameOrder } });
}

/** Notes a webhook event. @returns false when its id is known. Apply the event in the same transaction. */
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
 * Assigns a paid checkout the index of its agent's session key, once. The key must be known before the mint, and a
 * repeated mint must use the same key.
 * @param base of the seed's version in use
 */
export async function assignSessionKey(trx: Trx, checkoutId: string, base: bigint): Promise<void> {
  await sql`
    update checkouts
    set details = details || jsonb_build_object('sessionKeyIndex', (nextval('session_key_index') + ${base}::bigint)::text)
    where id = ${checkoutId} and not details ? 'sessionKeyIndex'`.execute(trx);
}
