import { isStopped, type StandingStop } from '../../../agents/market/stops.ts';
import type { RestingPair } from '../../../store/market/matches.ts';

/**
 * Whether no stop prevents a pair from matching.
 * @param stops the stops on the pair's lot
 */
export function passesStops(stops: readonly StandingStop[], { sell, buy, price }: RestingPair): boolean {
  const times = [sell, buy].map((order) => (order.placed_at ?? order.created_at).getTime());
  const placedAt = new Date(Math.max(...times));
  return !isStopped(stops, { seller: sell.owner, buyer: buy.owner, price, placedAt });
}
