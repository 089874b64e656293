/** What became of a record after it was filed: it stays as it was hashed, and its verdict no longer counts. */
export const WITHDRAWALS = ['retracted', 'overturned'] as const;
export type Withdrawal = (typeof WITHDRAWALS)[number];

/**
 * Why the verdict of a record no longer counts, as its document says; null where it does. The operator retracts, and
 * so does the service what the chain took back; an appeal overturns.
 */
export function withdrawalOf(document: {
  readonly retracted?: object;
  readonly overturned?: boolean;
}): Withdrawal | null {
  if (document.retracted !== undefined) return 'retracted';
  return document.overturned === true ? 'overturned' : null;
}
