/** A dispute of a thing's certificate on which the last word is still to be said, as everybody is told of it. */
export interface OpenDispute {
  readonly disputeId: string;
  /** The certificate's, decimal. */
  readonly tokenId: string;
  /** Who disputes it, lower case. */
  readonly wallet: string;
  readonly filedAt: Date;
  /**
   * Whoever agreed before is asked again for it: the operator acted on it, or it is of whoever held the thing first among
   * those who dispute it. Others come as they like, and count as one.
   */
  readonly asksAnew: boolean;
}

/**
 * Open disputes within a sentence that is signed; null where there are none. The first alone is named, and no number: who
 * files more of them cannot change again and again what is being signed.
 * @param disputes in the order in which they are told
 */
export function disputedWords([first]: readonly Pick<OpenDispute, 'disputeId'>[]): string | null {
  return first === undefined ? null : `disputed, not decided (${first.disputeId})`;
}
