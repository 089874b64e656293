/** How long determinations may lie before money moves by them. Older ones are made anew. */
export const DETERMINED_FOR_MS = 300_000;
/**
 * How long both keys' signatures over a deal are valid, in seconds, where the determinations do not end before: ten blocks
 * of a chain that makes one every twelve seconds, so that a dear transaction can be replaced and a deal that failed among
 * others can still be sent alone. Anyone may settle by them so long, and a deal that the chain refused is not told before.
 */
export const SIGNED_FOR_SECONDS = 120;
/** With less time left than five such blocks take, a settlement might come too late: nothing is signed. */
const LEAST_SECONDS = 60;

/**
 * Whether determinations are too old to settle by.
 * @param at when their evidence was gathered, in milliseconds; anything else: an earlier release, which did not tell
 */
export function isOutdated(at: unknown, now: Date): boolean {
  return secondsLeft(at, now) < LEAST_SECONDS;
}

/** How long signatures by these determinations may be valid, in seconds: no longer than the determinations. */
export function signedForSeconds(at: unknown, now: Date): number {
  return Math.min(SIGNED_FOR_SECONDS, secondsLeft(at, now));
}

function secondsLeft(at: unknown, now: Date): number {
  if (typeof at !== 'number') return 0;
  return Math.max(0, Math.floor((at + DETERMINED_FOR_MS - now.getTime()) / 1000));
}
