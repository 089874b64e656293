import { check } from '../panel/judging.ts';
import type { Feature, Ground } from '../panel/scorecard.ts';
import type { Check, Source } from '../panel/types.ts';
import type { BidHistory } from './bid-history.ts';
import {
  DOUBTFUL,
  isComparable,
  LIKELY,
  type LikelyGroup,
  likeliestGroup,
  strangersIn,
} from './bid-likelihood.ts';

/** What the bids alone tell, against how everybody else in this market bids. */
export function likelihoodChecks(history: BidHistory, sources: readonly Source[]): Check[] {
  if (!isComparable(history)) return [];
  const found = findingsIn(history);
  const id = 'bids-against-market';
  if (found.length > 0) return [check(id, 'FLAG', found.join('; '), sources)];
  const doubt = doubtIn(history);
  if (doubt !== null) return [check(id, 'INCONCLUSIVE', doubt, sources)];
  const { bidders, returning, losing } = history.habits;
  const told = `those who bid here bid as others do in this market (${bidders} bidders elsewhere, ${losing} of ${returning} who come back to one seller do so in vain)`;
  return [check(id, 'PASS', told, sources)];
}

export function likelihoodFeatures(history: BidHistory): Feature[] {
  if (!isComparable(history)) return [];
  const found = findingsIn(history);
  const meaning = found.length === 0 ? 'nobody stands out from this market' : found.join('; ');
  return [{ name: 'bids-against-market', value: found.length, weight: 60, meaning }];
}

export function likelihoodGrounds(history: BidHistory): Ground[] {
  const doubt = doubtIn(history);
  return [
    ...findingsIn(history).map((says) => ({ holds: true, says })),
    ...(doubt === null ? [] : [{ holds: true, unread: true, says: doubt }]),
  ];
}

/** Somebody stands out, and not by enough to say so. */
export function doubtIn(history: BidHistory): string | null {
  const group = likeliestGroup(history);
  return group !== null && group.weight > DOUBTFUL && group.weight <= LIKELY ? groupText(group) : null;
}

function findingsIn(history: BidHistory): string[] {
  const group = likeliestGroup(history);
  const strangers = strangersIn(history);
  return [
    ...(group !== null && group.weight > LIKELY ? [groupText(group)] : []),
    ...(strangers === null
      ? []
      : [
          `${strangers.strangers} accounts bid here once, nowhere else, and won nothing: in this market that is chance in ${strangers.chance.toExponential(0)}`,
        ]),
  ];
}

function groupText({ members, weight }: LikelyGroup): string {
  const times = Math.round(Math.exp(Math.min(weight, 20))).toLocaleString('en-US');
  return `${members.join(', ')} bid here, hardly anywhere else, and win less than others: ${times} times likelier of those who bid for the seller than of anybody else in this market`;
}
