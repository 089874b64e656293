/** A dispute of a thing's certificate on which the last word is still to be said, as everybody is told of it. */
export interface OpenDispute {
  readonly disputeId: string;
  /** The certificate's, decimal. */
  readonly tokenId: string;
  /** Who disputes it, lower case. */
  readonly wallet: string;
  readonly filedAt: Date;
}

/**
 * Open disputes within a sentence that is signed; null where there are none. The oldest alone is named, and no number: who
 * files more of them cannot change again and again what is being signed.
 * @param disputes the oldest first
 */
export function disputedWords([oldest]: readonly Pick<OpenDispute, 'disputeId'>[]): string | null {
  return oldest === undefined ? null : `disputed, not decided (${oldest.disputeId})`;
}
