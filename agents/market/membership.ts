/** A membership covers wallet determinations for a year; the institutional one also for named wallets beside its own. */
export type MembershipKind = 'individual' | 'institutional';

/** One year that was paid for, and was neither refunded nor is in dispute. */
export interface MembershipYear {
  readonly kind: MembershipKind;
  readonly paidAt: Date;
}

export interface Membership {
  readonly kind: MembershipKind;
  readonly until: Date;
}

/** Wallets that one institutional membership covers beside the wallet that pays. */
export const COVERED_WALLETS = 100;

/**
 * The membership that holds at `now`. Years of a kind follow one another: one that is bought early begins when the
 * last one ends, so that a renewal extends; one that was refunded is simply not among `years`, and the others move up.
 * @returns null when none holds; of both kinds, the institutional one
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
