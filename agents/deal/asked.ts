import type { OpenDispute } from '../certificates/open-dispute.ts';
import type { Determination, DeterminationId, Verdict } from '../determinations/panel/types.ts';
import type { Cause } from './effect.ts';

export type Side = 'buyer' | 'seller';

/** By side, each thing that makes a deal ask that side's owner. */
export type Asked = Readonly<Partial<Record<Side, readonly string[]>>>;

/** The price is above what the owner's mandate lets pass without asking. */
const APPROVAL = 'approval';
type Told = Pick<OpenDispute, 'disputeId' | 'asksAnew'>;

/** Somebody disputes the certificate of the thing. */
const DISPUTED = 'disputed';

/**
 * What an owner is asked about: of each determination that is not CLEAN the checks that say so, of hard ones with what they
 * say, such as the list that names the other side. Words of other checks hold amounts and ages, which move by themselves.
 */
export function askedAbout(
  causes: readonly Cause[],
  determinations: readonly Pick<Determination, 'id' | 'checks'>[],
  told: { readonly approval: boolean; readonly disputes: readonly Told[] },
): string[] {
  const found = causes
    .filter(({ effect }) => effect !== 'proceed')
    .flatMap(({ determination, verdict }) => {
      const checks = determinations.find(({ id }) => id === determination)?.checks ?? [];
      const open = checks.filter(({ outcome }) => outcome !== 'PASS');
      const what = `${determination} ${verdict}`;
      return [
        what,
        ...open.map(
          ({ id, outcome, hard, detail }) => `${what}: ${id} ${outcome}${hard === true ? ` ${detail}` : ''}`,
        ),
      ];
    });
  const asked = [...found, ...(told.approval ? [APPROVAL] : [])];
  // A dispute alone asks nobody: whoever is asked, is asked about it, too.
  return asked.length === 0 ? [] : [...new Set([...asked, ...disputed(told.disputes)])];
}

/** All as one but those for which it is asked anew: who files more would have an owner asked again and again. */
function disputed(disputes: readonly Told[]): string[] {
  const named = disputes.filter(({ asksAnew }) => asksAnew);
  return [...(disputes.length > 0 ? [DISPUTED] : []), ...named.map((d) => `${DISPUTED} ${d.disputeId}`)];
}

/**
 * Whether an owner is asked only about what was known when the order was placed: a price above what the mandate lets pass,
 * something that could not be judged, or the owner's own mandate. Nobody was found out. What is not told may be more.
 */
export function asksOnlyWhatWasKnown(asked: readonly string[] = []): boolean {
  return asked.length > 0 && !asked.some(isFinding);
}

function isFinding(what: string): boolean {
  const [determination, verdict] = what.split(' ', 2);
  return (
    verdict === ('FLAGGED' satisfies Verdict) &&
    determination !== ('mandate-compliance' satisfies DeterminationId)
  );
}

/** Whether an owner agreed to all of it already. What is not told was not agreed to. */
export function isAgreed(agreed: readonly string[] = [], asked: readonly string[] = []): boolean {
  return asked.length > 0 && asked.every((what) => agreed.includes(what));
}
