import type { Check, Depth, DeterminationEvidence, Verdict, Vote } from './types.ts';

/** What a confidence is made of. */
interface Grounds {
  readonly verdict: Verdict;
  readonly votes: readonly Vote[];
  /** A hard flag decided. */
  readonly hard: boolean;
  readonly checks: readonly Check[];
  /** Cases that a judgement by comparison rests on, such as sales; null where nothing is compared. */
  readonly sample: number | null;
  /** Points that a CLEAN loses by what a seat found odd and did not flag. */
  readonly doubt: number;
}

const BOUND: Readonly<Record<Depth, number>> = { '1-of-1': 70, '2-of-2': 85, superconsensus: 95 };
const HARD = 99;
/** Of a hard flag: what it has at least, because it rests on a fact. */
const LEAST_HARD = 90;
/** At this many cases a sample has half its weight. */
const HALF_SAMPLE = 3;
/** At this age a source has half its weight. */
const HALF_AGE_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * How firm an answer is, 0 to 100: an order of more and less, and no probability. It is a bound by depth, times the share
 * of seats that agree, times what was read weighs: how many checks there are, which share of them could run, how old their
 * sources are, and on how many cases a comparison rests. A hard flag lies between 90 and 99. 0: nothing was established.
 * Evidence without `confidence: 2` has the number of earlier releases, which knew depth and agreement alone.
 */
export function confidenceOf(
  { depth, at, confidence: version }: Pick<DeterminationEvidence, 'depth' | 'at' | 'confidence'>,
  grounds: Grounds,
): number {
  const { verdict, votes, hard, doubt } = grounds;
  if (verdict === 'INCONCLUSIVE' && !hard) return 0;
  const agreeing = votes.filter((v) => v.vote === verdict).length / Math.max(1, votes.length);
  const bound = BOUND[depth ?? '1-of-1'];
  if (version !== 2) return (hard ? HARD : Math.round(bound * agreeing)) - doubt;
  const weight = weightOf(grounds, Date.parse(at));
  if (hard) return Math.round(LEAST_HARD + (HARD - LEAST_HARD) * agreeing * weight);
  return Math.max(1, Math.round(bound * agreeing * weight) - doubt);
}

/** Above 0, to 1. */
function weightOf({ checks, sample }: Grounds, at: number): number {
  const ran = checks.filter((c) => c.outcome !== 'INCONCLUSIVE');
  const dates = [...new Map(ran.flatMap((c) => c.sources).map((s) => [s.name, s.asOf])).values()];
  const parts = [
    ran.length / (ran.length + 1),
    ...(dates.length === 0 ? [] : [mean(dates.map((date) => freshness(at - Date.parse(date))))]),
    ...(sample === null ? [] : [sample / (sample + HALF_SAMPLE)]),
  ];
  return (mean(parts) * ran.length) / Math.max(1, checks.length);
}

/** A source that says no date counts as one of its half age. */
function freshness(ageMs: number): number {
  const days = Number.isFinite(ageMs) ? Math.max(0, ageMs / DAY_MS) : HALF_AGE_DAYS;
  return HALF_AGE_DAYS / (HALF_AGE_DAYS + days);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
