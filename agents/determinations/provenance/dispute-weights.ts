import { everyHolder, inOrder, type TokenCustody } from './custody.ts';
import type { CertificateDispute, ProvenanceCommon } from './provenance-evidence.ts';

type Evidence = Pick<ProvenanceCommon, 'disputes' | 'disputeRules' | 'scope'>;

/** `again`: the certificate takes the place of a wrong one, in the same hands. */
type Weight = 'again' | 'against' | 'open' | 'told';

interface WeighedDispute {
  readonly weight: Weight;
  readonly says: string;
}

/**
 * What each dispute is worth for the certificate in question. One of this certificate is held against it once it is
 * upheld, and leaves it open while it is not decided. One of another certificate of the thing goes on after that ended,
 * because the thing is the same: until who disputed it is the first holder of the one in question.
 * @param own null where no certificate stands for the thing
 * @param lives certificates of the thing
 */
export function weighDisputes(
  { disputes = [], disputeRules, scope }: Evidence,
  own: TokenCustody | null,
  lives: readonly TokenCustody[],
): WeighedDispute[] {
  const holders = scope === 'deal' ? everyHolder(lives) : null;
  // Kept evidence of before told of this certificate's disputes alone, and let go of them with the certificate.
  if (disputeRules === undefined)
    return disputes
      .filter((d) => d.tokenId === own?.tokenId)
      .map((d) => ({ weight: d.closed ? 'told' : weightOf(d, holders), says: textOf(d) }));
  return disputes.map((d) => {
    if (d.tokenId === own?.tokenId) return { weight: weightOf(d, holders), says: textOf(d) };
    const says = textOf(d, `, of certificate ${d.tokenId}`);
    if (own !== null && firstPrincipals(own).includes(d.by))
      return { weight: 'told', says: `${says}, and ${own.tokenId} was issued to who disputed it` };
    const weight = weightOf(d, holders);
    if (weight !== 'against') return { weight, says };
    const wrong = lives.find((c) => c.tokenId === d.tokenId);
    if (own === null || wrong === undefined || !isInSameHands(d.by, wrong, own))
      return { weight: 'open', says: `${says}: nobody who disputed it had it issued in its place` };
    return { weight: 'again', says: `${says}, and who held that one has ${own.tokenId} in its place` };
  });
}

/**
 * Whether a certificate came to somebody who held a wrong one of the same thing, or who stood behind such a holder. Never
 * where it was issued to who disputed the wrong one.
 */
export function isInSameHands(disputedBy: string, wrong: TokenCustody, other: TokenCustody): boolean {
  if (firstPrincipals(other).includes(disputedBy)) return false;
  const before = principalsOf(wrong, disputedBy);
  return principalsOf(other, disputedBy).some((one) => before.includes(one));
}

/** Everybody who held a certificate, and who owned them; without `except` and the accounts that are theirs. */
export function principalsOf(life: TokenCustody, except: string): string[] {
  const sides = holdersOf(life).map((holder) => withOwners(life, holder));
  return [...new Set(sides.filter((side) => !side.includes(except)).flat())];
}

/** Those who held a certificate, in order. */
export function holdersOf({ moves, holders }: TokenCustody): string[] {
  const all = inOrder(moves).map((m) => m.to);
  const ended = (holders ?? []).length === 0 ? all.slice(0, -1) : all;
  return ended.length > 0 ? ended : (holders ?? []).map((h) => h.address);
}

/** The first holder of a certificate, and who owned it. */
export function firstPrincipals(life: TokenCustody): string[] {
  return holdersOf(life)
    .slice(0, 1)
    .flatMap((holder) => withOwners(life, holder));
}

/** A holder, and who owned it. */
export function withOwners({ principals = [] }: TokenCustody, holder: string): string[] {
  return [holder, ...principals.filter((p) => p.holder === holder).flatMap((p) => p.owners)];
}

/**
 * A dispute that was upheld is held against the certificate, and one that is held leaves it open. One that nobody decided
 * leaves it open, too; in a deal only from somebody who held it, because any wallet may disclose one.
 */
function weightOf({ state, ruling, by }: CertificateDispute, holders: readonly string[] | null): Weight {
  if (state === 'upheld' || (state === 'appealed' && ruling === 'upheld')) return 'against';
  if (state === 'held') return 'open';
  if (state === 'rejected') return 'told';
  return holders === null || holders.includes(by) ? 'open' : 'told';
}

function textOf({ disputeId, by, state, ruling, filedAt }: CertificateDispute, of = ''): string {
  if (state === 'disclosed') return `disputed by ${by}, not decided (${disputeId}, filed at ${filedAt}${of})`;
  const how = {
    held: 'holds it',
    upheld: 'was upheld',
    rejected: 'was rejected',
    appealed: `was ${ruling ?? 'decided'}, and appealed against`,
  }[state];
  return `the dispute ${disputeId} of ${by}, filed at ${filedAt}, ${how}${of}`;
}
