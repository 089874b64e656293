import { setImmediate } from 'node:timers/promises';
import type { SessionKeys } from './session-keys.ts';

/**
 * How far before and beyond a number a key is looked for: before the last one that is taken, where the numbers that a
 * restore forgot were passed over since, and beyond it, where they were not.
 */
const REACH = 2_000n;

/**
 * Finds the numbers of session keys that were given out after the moment to which the database was restored, the nearest
 * first. Each key takes milliseconds to derive, and others get their turn meanwhile.
 * @param near a number of the sequence from after that moment, or the last one before it
 * @returns by the key's address in lower case; a key of another seed, or of nobody here, has no entry
 */
export async function sessionKeyNumbers(
  keys: SessionKeys,
  wanted: ReadonlySet<string>,
  near: bigint,
  reach = REACH,
): Promise<ReadonlyMap<string, bigint>> {
  const found = new Map<string, bigint>();
  for (let far = 0n; far <= reach && found.size < wanted.size; far++) {
    for (const number of new Set([near + far, near - far])) {
      if (number < 1n) continue;
      const address = keys.at(Number(keys.base + number)).address.toLowerCase();
      if (wanted.has(address)) found.set(address, number);
    }
    await setImmediate();
  }
  return found;
}
