import type { Category } from '../../../agents/categories.ts';
import { AppError } from '../../../agents/errors.ts';
import { judgeMandate } from '../../../agents/mandate/compliance/compliance.ts';
import type { MandateCheck } from '../../../agents/mandate/compliance/proposal.ts';
import type { Mandate } from '../../../agents/mandate/terms/schema.ts';
import { formatUsd, type Micro } from '../../../agents/money.ts';
import { type AgentRow, activeMandate } from '../../../store/agent/agents.ts';
import type { Held } from '../../../store/agent/reservations.ts';
import { type Sales, soldBy, soldForGood } from '../../../store/agent/sales.ts';
import type { Trx } from '../../../store/database.ts';
import { lastBookedBlock } from '../../../store/deal/booked-blocks.ts';
import type { ListingRow } from '../../../store/market/listings.ts';
import type { OrderContext } from '../../../store/market/order-context.ts';
import type { SpendingLook, SpendingState } from '../../agent/public.ts';
import { LookAgain } from './look-again.ts';

interface OrderToJudge {
  readonly side: 'buy' | 'sell';
  readonly limit: Micro;
  readonly listing: Pick<ListingRow, 'category' | 'chain'>;
  readonly held: Held;
  readonly now: Date;
}

/**
 * Checks an order at its limit against every clause of its agent's mandate that can be checked before there is a deal.
 * It runs within the transaction that writes the order, under the agent's lock. The rest (the other side, the market,
 * required determinations) is checked when the deal is determined.
 * @param order.owner the agent's beneficial owner, for whom it is placed
 * @param look the caps, which were read from the chain before the transaction began
 * @param standing true for an order that stands already: of a sale counts what can free no more, and no window
 * @throws AppError mandate-exceeded naming the clause, agent-not-active when it changed hands, unavailable when a cap
 *   could not be read; LookAgain when the caps belong to another mandate, or are older than a payment that the chain
 *   booked
 */
export async function judgeOrder(
  trx: Trx,
  agent: AgentRow,
  order: OrderToJudge & { readonly owner: string },
  look: SpendingLook,
  standing = false,
): Promise<void> {
  const mandate = await activeMandate(trx, agent.handle);
  const bookedBlock = await lastBookedBlock(trx, agent.handle);
  const before = { mandate, bookedBlock };
  if (!isInForce(look, before, order.side)) throw new LookAgain(whyNotInForce(look, before));
  const of = { handle: agent.handle, owner: order.owner };
  const sold = standing ? await soldForGood(trx, of) : await soldBy(trx, of, order.now);
  const { structured } = mandate;
  holdToMandate(agent, order, { mandate: structured, sold, spending: look.spending, standing });
}

/**
 * Whether caps can be used for an order: they were read under the mandate that is in force, and, for a purchase, at a
 * block that includes every payment that the chain has booked for the agent. So a deal that settles at the same time
 * may be counted twice for a moment, as booked and as open, but is never missed.
 */
export function isInForce(
  { spending, inForce }: SpendingLook,
  {
    mandate,
    bookedBlock,
  }: Pick<OrderContext, 'bookedBlock'> & { readonly mandate: { readonly version: number } | null },
  side: 'buy' | 'sell',
): boolean {
  return (
    inForce === (mandate?.version ?? null) && (side === 'sell' || hasAllBooked(spending, { bookedBlock }))
  );
}

/** Why caps cannot be used, in the words for whoever is waiting. */
export function whyNotInForce(
  { spending, inForce }: SpendingLook,
  {
    mandate,
    bookedBlock,
  }: Pick<OrderContext, 'bookedBlock'> & { readonly mandate: { readonly version: number } | null },
): string {
  return inForce === (mandate?.version ?? null)
    ? `The chain was read at block ${spending.block}, and a deal of this agent is booked in ${bookedBlock}`
    : 'The mandate of this agent came into force';
}

/** Whether caps that were read at a block include every payment that the chain has booked for the agent. */
export function hasAllBooked(
  { block }: Pick<SpendingState, 'block'>,
  { bookedBlock }: Pick<OrderContext, 'bookedBlock'>,
): boolean {
  return bookedBlock === null || bookedBlock <= block;
}

/**
 * As {@link judgeOrder}, by values that were read before. Pure. @throws AppError mandate-exceeded, agent-not-active,
 * unavailable
 */
export function holdToMandate(
  agent: Pick<AgentRow, 'handle' | 'epoch'>,
  order: OrderToJudge,
  by: {
    readonly mandate: Mandate;
    readonly sold: Sales;
    readonly spending: SpendingState;
    readonly standing?: boolean;
  },
): void {
  const { held, now } = order;
  const { mandate, sold, standing } = by;
  const { limits, epoch } = by.spending;
  // The new owner has signed no mandate yet, and the keys have ended.
  if (epoch !== agent.epoch)
    throw new AppError(
      'agent-not-active',
      `The agent "${agent.handle}" has changed hands: it may not trade.`,
    );
  const made = held.deals + held.resting;
  const today = standing === true && order.side === 'sell' ? 0 : held.dealsToday + held.resting;
  const { checks } = judgeMandate(
    mandate,
    {
      side: order.side,
      category: order.listing.category as Category,
      priceMicro: order.limit,
      chainId: Number(order.listing.chain.split(':')[1]),
      at: now.toISOString(),
    },
    {
      remaining: {
        day: limits.day,
        week: limits.week,
        month: limits.month,
        total: limits.total,
        spendable: limits.spendable,
      },
      sold,
      reservedMicro: order.side === 'buy' ? held.amount : 0n,
      deals: { day: today, total: made },
      marketMedianMicro: null,
      faceValueMicro: null,
      verdicts: {},
      names: {},
    },
  );
  const broken = checks.find((c) => c.outcome === 'FLAG');
  if (broken) throw exceeded(broken, order.limit);
  const unread = checks.find(
    (c) => c.outcome === 'INCONCLUSIVE' && /^mandate-(?:cap-|live-limits)/.test(c.id),
  );
  if (unread) throw new AppError('unavailable', `${unread.id}: ${unread.detail}`);
}

function exceeded(check: MandateCheck, limit: Micro): AppError {
  const bound = check.limit === undefined ? '' : ` The mandate says ${check.limit}.`;
  return new AppError(
    'mandate-exceeded',
    `${check.id}: ${formatUsd(limit)} USD is refused. ${check.detail}${bound}`,
    {
      extra: { limit: check.id },
    },
  );
}
