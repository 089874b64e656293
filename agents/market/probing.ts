/**
 * How often one owner may place orders on one lot, counted over all of the owner's agents. Somebody could find out a
 * limit behind the price to beat by bidding, cancelling and bidding again, and halve the remaining range each time.
 * This makes every guess cost two seconds on the book with the money held, the risk of a match, and one of a limited
 * number of tries. A match reveals the other side's limit outright. A match that the owner's own mandate or setting
 * then stops costs the owner nothing else, so it counts as one more try beside the order that made it.
 */
export const PROBES = { most: 20, withinMs: 3_600_000 } as const;

/**
 * The least time that an order stays on the book, so that nobody finds out a limit by placing and cancelling quickly.
 */
export const LEAST_REST_MS = 2_000;

/**
 * The range in which an operator may set `PROBES.most`: at one, an owner can still place an order; a thousand lifts the
 * limit in effect.
 */
export const PROBES_BOUNDS = { min: 1, max: 1_000 } as const;

/**
 * @param placed the owner's earlier tries on the lot, orders and stops of its own, newest first
 * @param most how many tries an hour allows
 * @returns how long the owner must wait before the next try, in milliseconds; null when it need not wait
 */
export function heldDown(placed: readonly Date[], now: Date, most: number = PROBES.most): number | null {
  const oldest = placed[most - 1];
  if (oldest === undefined) return null;
  const left = oldest.getTime() + PROBES.withinMs - now.getTime();
  return left > 0 ? left : null;
}
