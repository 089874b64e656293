/** Since which block what is booked, and what the chain does not hold, is missed: by its name. */
export type Missed = Map<string, bigint>;

/** Misses it from the head on, unless it is missed already. @returns whether it is missed for so many blocks */
export function isMissedFor(missed: Missed, name: string, head: bigint, blocks: number): boolean {
  const since = missed.get(name) ?? head;
  missed.set(name, since);
  return head >= since + BigInt(blocks);
}
