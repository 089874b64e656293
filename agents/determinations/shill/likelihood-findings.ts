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

/** What is asked about: of a lot strangers leave it open, as a short history does, and a deal passes with both. */
type Scope = 'lot' | 'deal';

/** What the bids alone tell, against how everybody else in this market bids. */
export function likelihoodChecks(history: BidHistory, scope: Scope, sources: readonly Source[]): Check[] {
  if (!isComparable(history)) return [];
  const { findings, doubts, passed } = told(history, scope);
  const id = 'bids-against-market';
  if (findings.length > 0) return [check(id, 'FLAG', findings.join('; '), sources)];
  if (doubts.length > 0) return [check(id, 'INCONCLUSIVE', doubts.join('; '), sources)];
  const { bidders, returning, losing } = history.habits;
  const says = `those who bid here bid as others do in this market (${bidders} bidders elsewhere, ${losing} of ${returning} who come back to one seller do so in vain)`;
  return [check(id, 'PASS', [says, ...passed].join('; '), sources)];
}

export function likelihoodFeatures(history: BidHistory): Feature[] {
  if (!isComparable(history)) return [];
  const { findings } = told(history, 'lot');
  const meaning = findings.length === 0 ? 'nobody stands out from this market' : findings.join('; ');
  return [{ name: 'bids-against-market', value: findings.length, weight: 60, meaning }];
}

/** Somebody stands out, and not by enough to say so, or may mean the seller ill. */
export function likelihoodDoubts(history: BidHistory, scope: Scope): readonly string[] {
  return told(history, scope).doubts;
}

export function likelihoodGrounds(history: BidHistory, scope: Scope): Ground[] {
  const { findings, doubts } = told(history, scope);
  return [
    ...findings.map((says) => ({ holds: true, says })),
    ...doubts.map((says) => ({ holds: true, unread: true, says })),
  ];
}

function told(
  history: BidHistory,
  scope: Scope,
): {
  readonly findings: readonly string[];
  readonly doubts: readonly string[];
  /** What is told of and keeps nothing from passing. */
  readonly passed: readonly string[];
} {
  const strangers = strangersIn(history);
  const customers = customersOf(history);
  const group = likeliestGroup(history, customers);
  const joined = joinedGroup(history, customers);
  const groups = [
    ...(group === null ? [] : [{ verdict: groupVerdict(history, group), says: groupText(group) }]),
    ...(joined === null ? [] : [{ verdict: groupVerdict(history, joined), says: joinedText(joined) }]),
  ];
  const saying = (which: 'finding' | 'doubt'): string[] =>
    groups.flatMap(({ verdict, says }) => (verdict === which ? [says] : []));
  const found = saying('finding');
  const doubts = found.length > 0 ? [] : saying('doubt');
  const once = strangers === null ? [] : [strangersText(strangers)];
  if (history.bidding !== 5) return { findings: [...found, ...once], doubts, passed: [] };
  const open = once.map(
    (says) => `${says}; anybody may have sent them, and their money is asked about apart`,
  );
  return scope === 'deal'
    ? { findings: found, doubts, passed: open }
    : { findings: found, doubts: [...doubts, ...(found.length > 0 ? [] : open)], passed: [] };
}

function strangersText({
  strangers,
  chance,
}: {
  readonly strangers: number;
  readonly chance: number;
}): string {
  return `${strangers} accounts bid here once, nowhere else, and won nothing: in this market that is chance in ${chance.toExponential(0)}`;
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
