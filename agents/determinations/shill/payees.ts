import type { Micro } from '../../money.ts';
import { DUST_USD } from '../wallet/money/flows.ts';

/** Who got this part of what a side got is a customer like it; who got less counts for as much less. */
const PART = 10n;

/** Whether a payer has customers; `open`: neither so few, nor so much paid to them, that it can be told. */
export type Customers = 'few' | 'open' | 'many';

/** Sums of money, held ready to be compared with what one side after the other got. */
export interface Sums {
  readonly count: number;
  /** As how much of sums like the side's they count between them, in what the side got. */
  readonly alike: (side: Micro) => Micro;
  /** Of that, what the sums make of which each is less than a tenth of what the side got. */
  readonly little: (side: Micro) => Micro;
}

/** Sorts once, so that each side costs a search only. */
export function sumsOf(all: Iterable<Micro>): Sums {
  const sorted = [...all].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const upTo = [0n];
  for (const [i, usd] of sorted.entries()) upTo.push(upTo[i]! + usd);
  const below = (side: Micro): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! * PART < side) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    count: sorted.length,
    alike: (side) => {
      const less = below(side);
      return upTo[less]! * PART + BigInt(sorted.length - less) * side;
    },
    little: (side) => upTo[below(side)]! * PART,
  };
}

/** The same with a few of these sums replaced by others. */
export function replaced(sums: Sums, gone: readonly Micro[], come: readonly Micro[]): Sums {
  const moved = (alike: (usd: Micro) => Micro): Micro => {
    let by = 0n;
    for (const usd of gone) by -= alike(usd);
    for (const usd of come) by += alike(usd);
    return by;
  };
  return {
    count: sums.count - gone.length + come.length,
    alike: (side) => sums.alike(side) + moved((usd) => (usd * PART < side ? usd * PART : side)),
    little: (side) => sums.little(side) + moved((usd) => (usd * PART < side ? usd * PART : 0n)),
  };
}

/** The sums that are more than dust. */
export function inEarnest(all: Iterable<Micro>): Micro[] {
  return [...all].filter((usd) => usd >= DUST_USD);
}

/**
 * Whether a payer has more than `reach` customers besides a side. A dollar to each of some wallets of its own makes no
 * exchange of a purse; small sums to hundreds make one, however much the side got.
 * @param others what each other got of it, or it of each, in earnest
 * @param side what the side got of it, by all its addresses and through others
 * @param whole whether all of it was looked at
 */
export function customersOf(others: Sums, side: Micro, reach: number, whole = true): Customers {
  if (others.alike(side) >= BigInt(reach + 1) * side) return 'many';
  return whole && (others.count <= reach || others.little(side) < side) ? 'few' : 'open';
}
