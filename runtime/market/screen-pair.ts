import { isStopped, type StandingStop } from '../../agents/market/stops.ts';
import type { RestingPair } from '../../store/market/matches.ts';

/** Whether a pair may match as far as what has stopped its owners before is concerned; the stops are those of its lot. */
export function passesStops(stops: readonly StandingStop[], { sell, buy, price }: RestingPair): boolean {
  const times = [sell, buy].map((order) => (order.placed_at ?? order.created_at).getTime());
  const placedAt = new Date(Math.max(...times));
  return !isStopped(stops, { seller: sell.owner, buyer: buy.owner, price, placedAt });
}
