import type { SessionKeys } from '../../chain/clients/session-keys.ts';

/** How far beyond the last number that the database knows a key is looked for, and how far before it. */
const BEYOND = 2_000n;
/** Postgres writes a sequence ahead by 32: after a crash or a restore numbers that were taken may lie below the last one. */
const BEFORE = 64n;

/**
 * Finds the numbers of session keys that were given out after the moment to which the database was restored.
 * @param last the sequence's last number, as the database knows it
 * @returns by the key's address in lower case; a key of another seed, or of nobody here, has no entry
 */
export function sessionKeyNumbers(
  keys: SessionKeys,
  wanted: ReadonlySet<string>,
  last: bigint,
): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  const first = last > BEFORE ? last - BEFORE : 1n;
  for (let number = first; number <= last + BEYOND && found.size < wanted.size; number++) {
    const address = keys.at(Number(keys.base + number)).address.toLowerCase();
    if (wanted.has(address)) found.set(address, number);
  }
  return found;
}
