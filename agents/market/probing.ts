/**
 * How often one owner may place orders on one lot. A limit behind a price to beat can be felt out by bidding beside it,
 * taking the bid back and bidding again: each time halves what is left to guess. So a guess costs two seconds on the
 * book with its money held, the risk that it is taken, and one of these; through however many agents it is made. A match
 * tells the other's limit outright. One that its own mandate or setting undoes costs nothing else, so it counts as well,
 * beside the order that made it.
 */
export const PROBES = { most: 20, withinMs: 3_600_000 } as const;

/** An order lies on the book at least this long, so that a limit cannot be felt out by placing and cancelling. */
export const LEAST_REST_MS = 2_000;

/** What an operator may set in the place of `PROBES.most`: one to place an order at all, a thousand to give it up. */
export const PROBES_BOUNDS = { min: 1, max: 1_000 } as const;

/**
 * @param placed when it last tried the lot out, by an order or by a stop of its own, newest first
 * @param most how many of them an hour may see
 * @returns how long the owner must wait before the next, milliseconds; null when it need not
 */
export function heldDown(placed: readonly Date[], now: Date, most: number = PROBES.most): number | null {
  const oldest = placed[most - 1];
  if (oldest === undefined) return null;
  const left = oldest.getTime() + PROBES.withinMs - now.getTime();
  return left > 0 ? left : null;
}
