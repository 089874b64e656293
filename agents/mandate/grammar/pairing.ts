import { lowerAddress } from '../../ids.ts';
import { judgeMandate } from '../compliance/compliance.ts';
import type { MandateCheck, MandateFacts, MandateProposal } from '../compliance/proposal.ts';
import type { Mandate } from '../terms/schema.ts';

/** The other side of a pair, under every name by which a mandate may list it. */
export interface Counterparty {
  readonly handle: string;
  readonly account: string;
  /** The wallet that owned it when its order was placed. */
  readonly owner: string;
}

type Proposed = readonly [
  mandate: Mandate,
  proposal: Omit<MandateProposal, 'counterparty'>,
  other: Counterparty,
];

/** Facts that are read only for the deal's own determination. */
const UNREAD: Omit<MandateFacts, 'names'> = {
  remaining: null,
  sold: null,
  reservedMicro: null,
  deals: null,
  marketMedianMicro: null,
  faceValueMicro: null,
  verdicts: {},
};

/**
 * Judges whether a mandate allows this counterparty at this price, by sides, window, goods, chain, lists, and the caps
 * as far as the price alone can exceed them. A FLAG refuses. Clauses that need live facts are not judged here; the
 * deal's determination judges them before anything moves.
 */
export function mandateAllows(...pair: Proposed): boolean {
  return judgePair(...pair).every((check) => check.outcome !== 'FLAG');
}

/**
 * Whether a mandate's lists tell this counterparty from whomever else they name. With a name that nobody resolves they do
 * not: the deal's determination is then INCONCLUSIVE, and only the owner can go on with it.
 */
export function listsTell(...pair: Proposed): boolean {
  return judgePair(...pair).every(
    ({ id, outcome }) => id !== 'mandate-counterparty' || outcome !== 'INCONCLUSIVE',
  );
}

function judgePair(...[mandate, proposal, other]: Proposed): readonly MandateCheck[] {
  const { handle } = other;
  const [account, owner] = [lowerAddress(other.account), lowerAddress(other.owner)];
  const known = [account, owner, handle];
  const listed = (list: readonly string[] = []) => list.find((entry) => known.includes(entry.toLowerCase()));
  // A party has several names, so a denied name is looked for before an allowed one.
  const counterparty = listed(mandate.counterparties_deny) ?? listed(mandate.counterparties_allow) ?? account;
  return judgeMandate(mandate, { ...proposal, counterparty }, { ...UNREAD, names: {} }).checks;
}
