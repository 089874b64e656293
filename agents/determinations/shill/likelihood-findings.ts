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
import { customersOf, type JoinedGroup, joinedGroup } from './joined-sellers.ts';

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
  const strangers = strangersIn(history);
  const customers = customersOf(history);
  const group = likeliestGroup(history, customers);
  const joined = joinedGroup(history, customers);
  const groups = [
    ...(group === null ? [] : [{ verdict: groupVerdict(history, group), says: groupText(group) }]),
    ...(joined === null ? [] : [{ verdict: groupVerdict(history, joined), says: joinedText(joined) }]),
  ];
  const findings = groups.flatMap(({ verdict, says }) => (verdict === 'finding' ? [says] : []));
  return {
    findings: [
      ...findings,
      ...(strangers === null
        ? []
        : [
            `${strangers.strangers} accounts bid here once, nowhere else, and won nothing: in this market that is chance in ${strangers.chance.toExponential(0)}`,
          ]),
    ],
    doubts:
      findings.length > 0 ? [] : groups.flatMap(({ verdict, says }) => (verdict === 'doubt' ? [says] : [])),
  };
}

function groupText({ members, weight, inManner }: LikelyGroup): string {
  return `${members.join(', ')} bid here, far less elsewhere, and win less than others${mannerText(inManner)}: ${times(weight)} likelier of those who bid for the seller than of anybody else in this market`;
}

function joinedText({ members, weight, sellers, inManner }: JoinedGroup): string {
  const others = sellers === 2 ? 'one other seller' : `${sellers - 1} other sellers`;
  return `${members.join(', ')} bid here and at ${others}, far less elsewhere, and win less than others${mannerText(inManner)}: ${times(weight)} likelier if one stands behind these sellers than of anybody else in this market`;
}

function mannerText(inManner: boolean): string {
  return inManner ? ', and bid when and as often as labelled shills do' : '';
}

function times(weight: number): string {
  return `${Math.round(Math.exp(Math.min(weight, 20))).toLocaleString('en-US')} times`;
}
