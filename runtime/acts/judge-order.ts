import type { Category } from '../../agents/categories.ts';
import { AppError } from '../../agents/errors.ts';
import { judgeMandate } from '../../agents/mandate/compliance.ts';
import type { MandateCheck } from '../../agents/mandate/proposal.ts';
import type { Mandate } from '../../agents/mandate/schema.ts';
import { formatUsd, type Micro } from '../../agents/money.ts';
import { type AgentRow, activeMandate, requireMandate } from '../../store/agents.ts';
import { lastBookedBlock, NO_BLOCK } from '../../store/booked-blocks.ts';
import type { Trx } from '../../store/database.ts';
import type { ListingRow } from '../../store/listings.ts';
import type { BeforeOrder } from '../../store/order-standing.ts';
import type { Held } from '../../store/reservations.ts';
import { type Sales, soldBy } from '../../store/sales.ts';
import type { Services } from '../services.ts';
import { readStanding, type Standing } from './live-agent.ts';

interface OrderToJudge {
  readonly side: 'buy' | 'sell';
  readonly limit: Micro;
  readonly listing: Pick<ListingRow, 'category' | 'chain'>;
  readonly held: Held;
  readonly now: Date;
  /** Read under the agent's lock already. */
  readonly known?: Pick<BeforeOrder, 'mandate' | 'sold' | 'bookedBlock'>;
  /** Read before the agent was locked, with all in it that the chain has booked of what the agent held. */
  readonly standing?: Standing | null;
}

/**
 * Holds an order at its limit to every clause of its agent's mandate that can be known before there is a deal:
 * the rest (the other side, the market, required determinations) is held to again when the deal is determined.
 *
 * The caps are read from the chain after what is held was counted: a deal that settles meanwhile is then counted twice
 * for a moment, and never not at all. Here, under the agent's lock, unless what was read has all that was booked. A node
 * that is behind what was booked tells of money that is spent already: by its word nothing is bought.
 * @throws AppError mandate-exceeded naming the clause, agent-not-active when it changed hands, unavailable when a cap
 *   could not be read, or only as of before a deal that was booked
 */
export async function judgeOrder(
  services: Services,
  trx: Trx,
  agent: AgentRow,
  order: OrderToJudge,
): Promise<void> {
  const { now, known } = order;
  // The chain and the database are asked at once; a refusal of either ends both.
  const reading = order.standing ? Promise.resolve(order.standing) : readStanding(services, agent);
  reading.catch(() => {});
  const inForce = known
    ? requireMandate(agent.handle, known.mandate)
    : await activeMandate(trx, agent.handle);
  const sold = known?.sold ?? (await soldBy(trx, agent.handle, now));
  const booked = known ? known.bookedBlock : await lastBookedBlock(trx, agent.handle);
  const mandate = inForce.structured as unknown as Mandate;
  const standing = await reading;
  if (order.side === 'buy') requireUpTo(booked, standing);
  holdToMandate(agent, order, { mandate, sold, standing });
}

function requireUpTo(bookedBlock: bigint | null, standing: Standing): void {
  // Where a settlement does not say its block there is nothing to wait for.
  if (bookedBlock === NO_BLOCK || hasAllBooked(standing, { bookedBlock })) return;
  throw new AppError(
    'unavailable',
    `The chain was read at block ${standing.block}, and a deal of this agent is booked in ${bookedBlock}: send the same request again.`,
  );
}

/** Whether caps that were read at a block have all in them that the chain has booked of what an agent held. */
export function hasAllBooked(
  { block }: Standing,
  { bookedBlock }: Pick<BeforeOrder, 'bookedBlock'>,
): boolean {
  return bookedBlock === null || bookedBlock <= block;
}

/** As {@link judgeOrder}, by what was read. @throws AppError mandate-exceeded, agent-not-active, unavailable */
export function holdToMandate(
  agent: Pick<AgentRow, 'handle' | 'epoch'>,
  order: Pick<OrderToJudge, 'side' | 'limit' | 'listing' | 'held' | 'now'>,
  by: { readonly mandate: Mandate; readonly sold: Sales; readonly standing: Standing },
): void {
  const { held, now } = order;
  const { mandate, sold } = by;
  const { limits, epoch } = by.standing;
  // Its new owner has signed no mandate yet, and its keys are dead.
  if (epoch !== agent.epoch)
    throw new AppError(
      'agent-not-active',
      `The agent "${agent.handle}" has changed hands: it may not trade.`,
    );
  const made = held.deals + held.resting;
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
      deals: { day: held.dealsToday + held.resting, total: made },
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
