import { check } from '../panel/judging.ts';
import type { Feature, Ground } from '../panel/scorecard.ts';
import type { Check, Source } from '../panel/types.ts';
import type { BidHistory } from './bid-history.ts';
import {
  groupVerdict,
  isComparable,
  type LikelyGroup,
  likeliestGroup,
  strangersIn,
} from './bid-likelihood.ts';

/** What the bids alone tell, against how everybody else in this market bids. */
export function likelihoodChecks(history: BidHistory, sources: readonly Source[]): Check[] {
  if (!isComparable(history)) return [];
  const { findings, doubts } = told(history);
  const id = 'bids-against-market';
  if (findings.length > 0) return [check(id, 'FLAG', findings.join('; '), sources)];
  if (doubts.length > 0) return [check(id, 'INCONCLUSIVE', doubts.join('; '), sources)];
  const { bidders, returning, losing } = history.habits;
  const says = `those who bid here bid as others do in this market (${bidders} bidders elsewhere, ${losing} of ${returning} who come back to one seller do so in vain)`;
  return [check(id, 'PASS', says, sources)];
}

export function likelihoodFeatures(history: BidHistory): Feature[] {
  if (!isComparable(history)) return [];
  const { findings } = told(history);
  const meaning = findings.length === 0 ? 'nobody stands out from this market' : findings.join('; ');
  return [{ name: 'bids-against-market', value: findings.length, weight: 60, meaning }];
}

/** Somebody stands out, and not by enough to say so. */
export function likelihoodDoubts(history: BidHistory): readonly string[] {
  return told(history).doubts;
}

export function likelihoodGrounds(history: BidHistory): Ground[] {
  const { findings, doubts } = told(history);
  return [
    ...findings.map((says) => ({ holds: true, says })),
    ...doubts.map((says) => ({ holds: true, unread: true, says })),
  ];
}

function told(history: BidHistory): {
  readonly findings: readonly string[];
  readonly doubts: readonly string[];
} {
  const group = likeliestGroup(history);
  const strangers = strangersIn(history);
  const verdict = group === null ? null : groupVerdict(history, group);
  const one = group === null ? [] : [groupText(group)];
  return {
    findings: [
      ...(verdict === 'finding' ? one : []),
      ...(strangers === null
        ? []
        : [
            `${strangers.strangers} accounts bid here once, nowhere else, and won nothing: in this market that is chance in ${strangers.chance.toExponential(0)}`,
          ]),
    ],
    doubts: verdict === 'doubt' ? one : [],
  };
}

function groupText({ members, weight }: LikelyGroup): string {
  const times = Math.round(Math.exp(Math.min(weight, 20))).toLocaleString('en-US');
  return `${members.join(', ')} bid here, far less elsewhere, and win less than others: ${times} times likelier of those who bid for the seller than of anybody else in this market`;
}
