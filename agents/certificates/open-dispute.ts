/** A dispute of a thing's certificate on which the last word is still to be said, as everybody is told of it. */
export interface OpenDispute {
  readonly disputeId: string;
  /** The certificate's, decimal. */
  readonly tokenId: string;
  /** Who disputes it, lower case. */
  readonly wallet: string;
  readonly filedAt: Date;
  /** Who disputes it never held the thing, and the operator did not act on it. */
  readonly ofStranger: boolean;
}

/**
 * Open disputes within a sentence that is signed; null where there are none. The first alone is named, and no number: who
 * files more of them cannot change again and again what is being signed.
 * @param disputes in the order in which they are told
 */
export function disputedWords([first]: readonly Pick<OpenDispute, 'disputeId'>[]): string | null {
  return first === undefined ? null : `disputed, not decided (${first.disputeId})`;
}
