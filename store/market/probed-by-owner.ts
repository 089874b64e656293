import { ownersWords } from '../agent/owners-word.ts';
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
  if (probed.length < most) return probed;
  const placed = await db
    .selectFrom('orders')
    .select(['handle', 'created_at'])
    .where('owner', '=', owner)
    .where('asset_key', '=', lot)
    .where('created_at', '>', since)
    .where('placed_at', 'is', null)
    .execute();
  const [hasWord, ...words] = await ownersWords(db, [
    { handle, owner },
    ...placed.map((order) => ({ handle: order.handle, owner, by: order.created_at })),
  ]);
  const own = placed.filter((_, n) => words[n]);
  if (!hasWord || own.length === placed.length) return probed;
  const stops = await db
    .selectFrom('stops')
    .select(['deal_id', 'side', 'seller', 'buyer', 'stopped_at'])
    .where('asset_key', '=', lot)
    .where('stopped_at', '>', since)
    .execute();
  const ownStops = stops.filter((stop) => stop.side !== 'neither' && stop[stop.side] === owner);
  const byDeal = new Map(ownStops.map((stop) => [stop.deal_id, stop.stopped_at]));
  return [...own.map((order) => order.created_at), ...byDeal.values()]
    .sort((a, b) => b.getTime() - a.getTime())
    .slice(0, most);
}
