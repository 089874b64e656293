import type { Category } from '../../agents/categories.ts';
import { AppError, badField } from '../../agents/errors.ts';
import type { Mandate } from '../../agents/mandate/schema.ts';
import { requireMandate } from '../../store/agents.ts';
import type { ListingRow } from '../../store/listings.ts';
import type { BeforeOrder } from '../../store/order-standing.ts';
import type { Placed } from '../../store/orders.ts';
import { type Restable, restAtOnce, restable } from '../../store/rest-at-once.ts';
import type { LastCall, Services } from '../services.ts';
import { hasAllBooked, holdToMandate } from './judge-order.ts';
import type { OrderingAgent } from './live-agent.ts';

/** Of the mandate by which the caps were read, and with all in them that the chain has booked. */
export function isInForce(
  { inForce, standing }: NonNullable<OrderingAgent['readied']>,
  before: Pick<BeforeOrder, 'mandate' | 'bookedBlock'>,
): boolean {
  return inForce === (before.mandate?.version ?? null) && hasAllBooked(standing, before);
}

type LookedOrder = Restable['order'] & { readonly category: Category };

/**
 * Judges an order by what was looked at beside the chain.
 * @param owner who stands behind its agent, lower case
 * @returns null for one that must be judged under the locks: whatever would be refused, too
 */
export function judgeLooked(
  { agent, readied }: Pick<OrderingAgent, 'agent' | 'readied'>,
  order: LookedOrder,
  owner: string,
): Restable | null {
  const look = readied?.look ?? null;
  if (look === null || look.asked.owner !== owner || !isInForce(readied!, look.before)) return null;
  const { side, limit, category } = order;
  try {
    const rest = restable(look, order);
    if (rest === null) return null;
    requireCategory(rest.listing, category);
    const { held, sold, mandate } = look.before;
    const inForce = requireMandate(agent.handle, mandate).structured as unknown as Mandate;
    const asked = { side, limit, listing: rest.listing, held, now: look.asked.now };
    holdToMandate(agent, asked, { mandate: inForce, sold, standing: readied!.standing });
    return rest;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * Rests an order by what was looked at beside the chain, in one statement that finds the same under its locks.
 * @returns null, and nothing is written, for one that must be judged under the locks
 */
export async function restLooked(
  { db }: Pick<Services, 'db'>,
  ordering: OrderingAgent,
  order: LookedOrder,
  { owner, lastCall }: { owner: string; lastCall: LastCall },
): Promise<Placed | null> {
  const rest = judgeLooked(ordering, order, owner);
  if (rest === null) return null;
  lastCall();
  const rested = await restAtOnce(db, rest);
  return rested === null ? null : { order: rested, priceToBeat: rest.priceToBeat, match: null };
}

/** @throws AppError bad-request */
export function requireCategory(listing: ListingRow, category: Category): void {
  if (listing.category !== category) {
    throw badField('category', `must be ${listing.category}, the category of this listing`);
  }
}
