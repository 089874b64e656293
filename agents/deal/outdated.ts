/** How long determinations may lie before money moves by them. Older ones are made anew. */
export const DETERMINED_FOR_MS = 300_000;

/**
 * Whether determinations are too old to settle by.
 * @param at when their evidence was gathered, in milliseconds; anything else: an earlier release, which did not tell
 */
export function isOutdated(at: unknown, now: Date): boolean {
  return typeof at !== 'number' || now.getTime() - at > DETERMINED_FOR_MS;
}
