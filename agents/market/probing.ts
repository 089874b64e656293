/**
 * How often one owner may place orders on one lot. A limit behind a price to beat can be felt out by bidding beside it,
 * taking the bid back and bidding again: each time halves what is left to guess. So a guess costs two seconds on the
 * book with its money held, the risk that it is taken, and one of these; through however many agents it is made.
 */
export const PROBES = { most: 20, withinMs: 3_600_000 } as const;

/**
 * @param placed when its newest orders on the lot were placed, newest first
 * @returns how long the owner must wait before the next, milliseconds; null when it need not
 */
export function heldDown(placed: readonly Date[], now: Date): number | null {
  const oldest = placed[PROBES.most - 1];
  if (oldest === undefined) return null;
  const left = oldest.getTime() + PROBES.withinMs - now.getTime();
  return left > 0 ? left : null;
}
