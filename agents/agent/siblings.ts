/** A bid of another agent of the same owner. */
export interface SiblingBid {
  readonly since: Date;
  /** Whether the owner has given a word for that agent. */
  readonly hasWord: boolean;
}

/**
 * Since when another agent of its owner stands before an agent on a lot; null where none does. Anybody can have an agent
 * minted in the name of a wallet that signed nothing. So one for which the owner gave no word yields to each for which
 * the owner did, whichever came first, and stands before none of those.
 * @param hasWord whether the owner has given a word for the agent that asks
 */
export function siblingBefore(hasWord: boolean, siblings: readonly SiblingBid[]): Date | null {
  const worded = siblings.filter((sibling) => sibling.hasWord);
  if (!hasWord && worded.length > 0) return new Date(0);
  const times = (hasWord ? worded : siblings).map(({ since }) => since.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}
