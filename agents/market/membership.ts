/**
 * A membership covers wallet determinations for a year; the institutional one also covers named wallets besides the
 * payer's.
 */
export type MembershipKind = 'individual' | 'institutional';

/** One year that was paid for and neither refunded nor disputed. */
export interface MembershipYear {
  readonly kind: MembershipKind;
  readonly paidAt: Date;
}

export interface Membership {
  readonly kind: MembershipKind;
  readonly until: Date;
}

/** How many wallets an institutional membership covers besides the wallet that pays. */
export const COVERED_WALLETS = 100;

/**
 * The membership that holds at `now`. Years of one kind follow one another: a year that is bought early begins when the
 * last one ends, so that a renewal extends the membership. A refunded year is not in `years`, so the later years move
 * up.
 * @returns null when none holds; the institutional one when both hold
 */
export function membershipAt(years: readonly MembershipYear[], now: Date): Membership | null {
  for (const kind of ['institutional', 'individual'] as const) {
    const paid = years
      .filter((y) => y.kind === kind && y.paidAt <= now)
      .sort((a, b) => +a.paidAt - +b.paidAt);
    let until: Date | null = null;
    for (const { paidAt } of paid) until = yearAfter(until === null || until < paidAt ? paidAt : until);
    if (until !== null && until > now) return { kind, until };
  }
  return null;
}

/** The same day of the next year, UTC; 29 February becomes 1 March. */
function yearAfter(from: Date): Date {
  const until = new Date(from);
  until.setUTCFullYear(until.getUTCFullYear() + 1);
  return until;
}
