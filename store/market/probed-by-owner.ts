import { hasOwnersWord, withOwnersWord } from '../agent/owners-word.ts';
import type { Database } from '../database.ts';

/**
 * When an owner last tried a lot, newest first, as it counts for an agent for which the owner gave a word: without the orders
 * of agents that anybody can have minted in the owner's name. For an agent without a word every try of the owner counts.
 * @param asked.probed by all agents of the owner, the newest `most`
 * @param asked.since orders placed later count
 */
export async function probedByOwner(
  db: Database,
  asked: {
    readonly lot: string;
    readonly handle: string;
    readonly owner: string;
    readonly since: Date;
    readonly most: number;
    readonly probed: readonly Date[];
  },
): Promise<readonly Date[]> {
  const { lot, handle, owner, since, most, probed } = asked;
  // Fewer than are allowed hold nobody down, whosever they are.
  if (probed.length < most || !(await hasOwnersWord(db, { handle, owner }))) return probed;
  const placed = await db
    .selectFrom('orders')
    .select(['handle', 'created_at'])
    .where('owner', '=', owner)
    .where('asset_key', '=', lot)
    .where('created_at', '>', since)
    .where('placed_at', 'is', null)
    .execute();
  const worded = await withOwnersWord(
    db,
    owner,
    placed.map((order) => order.handle),
  );
  const others = placed.filter((order) => !worded.has(order.handle));
  if (others.length === 0) return probed;
  const stops = await db
    .selectFrom('stops')
    .select(['deal_id', 'side', 'seller', 'buyer', 'stopped_at'])
    .where('asset_key', '=', lot)
    .where('stopped_at', '>', since)
    .execute();
  const ownStops = stops.filter((stop) => stop.side !== 'neither' && stop[stop.side] === owner);
  const byDeal = new Map(ownStops.map((stop) => [stop.deal_id, stop.stopped_at]));
  const ownOrders = placed.filter((order) => worded.has(order.handle)).map((order) => order.created_at);
  return [...ownOrders, ...byDeal.values()].sort((a, b) => b.getTime() - a.getTime()).slice(0, most);
}
