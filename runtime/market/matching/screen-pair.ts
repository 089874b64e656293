import { isStopped, type StandingStop } from '../../../agents/market/stops.ts';
import type { Database, Trx } from '../../../store/database.ts';
import type { OrderRow } from '../../../store/market/lots.ts';
import type { Pair, PairAgents } from '../../../store/market/matches.ts';
import { standingStops } from '../../../store/market/stops.ts';
import { bothMandatesAllow } from './judge-pair.ts';

type Placed = Pick<OrderRow, 'created_at' | 'placed_at'>;

/** A pair with its lot, and with the times that stops go by. The buyer's order may not be placed yet. */
export interface ScreenedPair extends Pair {
  readonly sell: Pair['sell'] & Placed & Pick<OrderRow, 'asset_key'>;
  readonly buy: Pair['buy'] & Placed;
}

/**
 * Whether neither a stop nor one of the two mandates bars a pair, by the database alone. It is asked before the chain:
 * a barred buyer who could tell that the chain was asked would know that its limit reaches the floor.
 * @param agents read if they are not known
 */
export async function mayMatch(
  db: Database | Trx,
  pair: ScreenedPair,
  now: Date,
  agents?: PairAgents,
): Promise<boolean> {
  if (!passesStops(await standingStops(db, pair.sell.asset_key), pair)) return false;
  return await bothMandatesAllow(db, now)(pair, agents);
}

/**
 * Whether no stop prevents a pair from matching.
 * @param stops the stops on the pair's lot
 */
export function passesStops(stops: readonly StandingStop[], { sell, buy, price }: ScreenedPair): boolean {
  const times = [sell, buy].map((order) => (order.placed_at ?? order.created_at).getTime());
  const placedAt = new Date(Math.max(...times));
  const agents = [sell.handle, buy.handle];
  return !isStopped(stops, { seller: sell.owner, buyer: buy.owner, agents, price, placedAt });
}
