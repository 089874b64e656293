import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { Refusal } from '../../agents/errors.ts';
import type { Micro } from '../../agents/money.ts';
import type { Database, Trx } from '../database.ts';
import type { Tables } from '../tables.ts';

/** What an agent has promised and not yet spent, and how often it dealt: what a mandate's caps are counted on. */
export interface Held {
  /** Sum of the limits of resting and unfunded buys and the prices of deals under way. */
  readonly amount: Micro;
  /** What of it unfunded buys hold: it counts against the caps, which the money would need, and not against the money. */
  readonly unfunded: Micro;
  /** Orders that rest or are unfunded, of both sides: each may yet become a deal. */
  readonly resting: number;
  /**
   * The owner's deals, of both sides, under way or settled since the mandate in force was signed; stopped and failed ones
   * do not count.
   */
  readonly deals: number;
  /** The owner's deals under way or settled that were matched in the last 24 hours. */
  readonly dealsToday: number;
}

/** An agent in the time of one owner: what it did for others before is not counted on its mandate. */
export interface OwnedAgent {
  readonly handle: string;
  /** Its beneficial owner, lower case. */
  readonly owner: string;
}

/** The money that an agent's orders and deals hold, whoever owned it when they were made. */
export async function moneyHeldBy(
  db: Database | Trx,
  handle: string,
): Promise<Pick<Held, 'amount' | 'unfunded'>> {
  const { amount, unfunded } = await db
    .selectFrom('reservations')
    .innerJoin('orders', 'orders.order_id', 'reservations.order_id')
    .select((eb) => [
      eb.fn.sum<string | null>('amount').as('amount'),
      eb.fn.sum<string | null>('amount').filterWhere('orders.status', '=', 'unfunded').as('unfunded'),
    ])
    .where('reservations.handle', '=', handle)
    .where('reservations.state', '=', 'held')
    .executeTakeFirstOrThrow();
  return { amount: BigInt(amount ?? 0), unfunded: BigInt(unfunded ?? 0) };
}

/** Counts without a lock: for reading. To decide on it, hold the agent by {@link lockActiveAgent} first. */
export async function heldBy(db: Database | Trx, agent: OwnedAgent, now: Date): Promise<Held> {
  const { handle } = agent;
  const money = await moneyHeldBy(db, handle);
  const { resting } = await db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<bigint>().as('resting'))
    .where('handle', '=', handle)
    .where('status', 'in', ['resting', 'unfunded'])
    .executeTakeFirstOrThrow();
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const from = await countsFrom(db, handle);
  const { deals, today } = await db
    .selectFrom('deals')
    .innerJoin('matches', 'matches.match_id', 'deals.match_id')
    .select((eb) => [
      eb.fn
        .countAll<bigint>()
        .filterWhere((has) => has.or(underMandate(has, from)))
        .as('deals'),
      eb.fn.countAll<bigint>().filterWhere('matches.matched_at', '>', dayAgo).as('today'),
    ])
    .where((eb) =>
      eb.or([
        eb.and([eb('deals.seller', '=', handle), eb('matches.seller_owner', '=', agent.owner)]),
        eb.and([eb('deals.buyer', '=', handle), eb('matches.buyer_owner', '=', agent.owner)]),
      ]),
    )
    .where('deals.state', 'not in', ['stopped', 'failed'])
    .executeTakeFirstOrThrow();
  return {
    ...money,
    resting: Number(resting),
    deals: Number(deals),
    dealsToday: Number(today),
  };
}

/** What an agent holds besides one of its orders. An order that is not placed yet holds nothing. */
export async function heldBeside(
  trx: Trx,
  order: OwnedAgent & { readonly order_id: string },
  now: Date,
): Promise<Held> {
  const all = await heldBy(trx, order, now);
  const own = await trx
    .selectFrom('orders')
    .leftJoin('reservations', (join) =>
      join.onRef('reservations.order_id', '=', 'orders.order_id').on('reservations.state', '=', 'held'),
    )
    .select('reservations.amount')
    .where('orders.order_id', '=', order.order_id)
    .where('orders.status', 'in', ['resting', 'unfunded'])
    .executeTakeFirst();
  if (own === undefined) return all;
  return { ...all, resting: all.resting - 1, amount: all.amount - (own.amount ?? 0n) };
}

/**
 * From when on a settled deal counts towards the totals of the mandate in force: the chain begins its own total anew with
 * each mandate, and what settles under it counts, whenever it was agreed. @returns null when all of them count
 */
export async function countsFrom(db: Database | Trx, handle: string): Promise<Date | null> {
  const row = await db
    .selectFrom('mandates')
    .select('counts_from')
    .where('handle', '=', handle)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return row?.counts_from ?? null;
}

type OfMatch = ExpressionBuilder<Pick<Tables, 'matches'>, 'matches'>;

/** The conditions of which one holds of a deal that counts towards the totals of a mandate. */
export function underMandate(eb: OfMatch, from: Date | null): Expression<SqlBool>[] {
  return [eb('matches.settled_at', 'is', null), settledUnderMandate(eb, from)];
}

/** The condition of a settled deal that counts towards the totals of a mandate. */
export function settledUnderMandate(eb: OfMatch, from: Date | null): Expression<SqlBool> {
  return from === null ? eb('matches.settled_at', 'is not', null) : eb('matches.settled_at', '>', from);
}

/**
 * Locks the agent for this transaction, so that its orders are judged one after another whatever their lots, and
 * so that it cannot leave the active state meanwhile.
 * @throws Refusal not-found, agent-not-active
 */
export async function lockActiveAgent(trx: Trx, handle: string): Promise<void> {
  const agent = await trx
    .selectFrom('agents')
    .select('status')
    .where('handle', '=', handle)
    .forNoKeyUpdate()
    .executeTakeFirst();
  requireActive(handle, agent?.status ?? null);
}

/** @param status null: there is no such agent. @throws Refusal not-found, agent-not-active */
export function requireActive(handle: string, status: string | null): void {
  if (status === null) throw new Refusal('not-found', `There is no agent "${handle}".`);
  if (status !== 'active') {
    throw new Refusal('agent-not-active', `The agent "${handle}" is ${status}: it may not trade.`);
  }
}

/** Holds a buy order's limit against its agent's caps. */
export async function holdReservation(
  trx: Trx,
  reservation: { orderId: string; handle: string; amount: Micro; now: Date },
): Promise<void> {
  await trx
    .insertInto('reservations')
    .values({
      order_id: reservation.orderId,
      handle: reservation.handle,
      amount: reservation.amount,
      state: 'held',
      updated_at: reservation.now,
    })
    .execute();
}

/** Ends reservations: `spent` once the chain has booked the money, `released` when nothing will be spent. */
export async function endReservations(
  trx: Trx,
  orderIds: readonly string[],
  state: 'spent' | 'released',
  now: Date,
): Promise<void> {
  if (orderIds.length === 0) return;
  await trx
    .updateTable('reservations')
    .set({ state, updated_at: now })
    .where('order_id', 'in', orderIds)
    .where('state', '=', 'held')
    .execute();
}
