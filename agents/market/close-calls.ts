import { sameAddress } from '../ids.ts';
import type { Micro } from '../money.ts';

/** How long one order was on the book, for the close calls of its lot. */
export interface OrderSpan {
  readonly side: 'buy' | 'sell';
  readonly owner: string;
  readonly limit: Micro;
  readonly from: Date;
  /** When it left the book; null while it is still there. */
  readonly to: Date | null;
}

/** Two limits are close that differ by at most the seller's, divided by this. */
export const CLOSE_SHARE = 20n;
const TOGETHER_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The hour that contains a moment, UTC. */
export function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
}

/**
 * The hours in which this lot had a close call: orders of a buyer and a seller with different owners were on the book
 * together for at least a minute, were at most five percent of the seller's limit apart without crossing, and have both
 * left. The hour is the one in which the later of them left; nothing else about the pair is published.
 */
export function closeCallHours(spans: readonly OrderSpan[]): readonly Date[] {
  const hours = new Set<number>();
  const gone = spans.filter((s): s is OrderSpan & { to: Date } => s.to !== null);
  const buys = gone.filter((s) => s.side === 'buy');
  for (const sell of gone.filter((s) => s.side === 'sell')) {
    for (const buy of buys) {
      const gap = sell.limit - buy.limit;
      if (gap <= 0n || gap * CLOSE_SHARE > sell.limit || sameAddress(sell.owner, buy.owner)) continue;
      const together =
        Math.min(sell.to.getTime(), buy.to.getTime()) - Math.max(sell.from.getTime(), buy.from.getTime());
      if (together < TOGETHER_MS) continue;
      hours.add(hourOf(new Date(Math.max(sell.to.getTime(), buy.to.getTime()))).getTime());
    }
  }
  return [...hours].sort((a, b) => a - b).map((h) => new Date(h));
}
