import type { Check, Outcome, PinnedBlocks, Source, Verdict } from './types.ts';

/** What one seat judges: the shared facts, its own reading, and the source of that reading. */
export interface View<Common, Facts> {
  readonly common: Common;
  readonly facts: Facts;
  readonly at: string;
  readonly source: string;
  readonly limit: string;
  readonly blocks: PinnedBlocks;
}

/** Which rules the adversary argues by. */
export type AdversaryVersion = 1 | 2 | 3;

/** What the adversary judges: every reading of every seat. */
export interface AllReadings<Common, Facts> {
  readonly common: Common;
  readonly at: string;
  readonly readings: readonly Facts[];
  readonly blocks: PinnedBlocks;
  /** From 2 on what it finds denies CLEAN. 1: evidence of earlier releases, where it only dissented. */
  readonly version: AdversaryVersion;
}

export interface Step {
  readonly claim: string;
  readonly rule: string;
  readonly input: string;
  readonly outcome: string;
}

export interface Opinion {
  readonly vote: Verdict;
  readonly hard: boolean;
  /** Points of confidence that a finding costs which is too weak for a vote. */
  readonly doubt?: number;
  /** The adversary's adverse facts, each with what it takes to find it again. */
  readonly facts?: readonly string[];
  readonly reasons: readonly string[];
  readonly steps: readonly Step[];
}

/** The three methods of one determination. All are pure, and none calls another. */
export interface Judging<Common, Facts> {
  rules(view: View<Common, Facts>): readonly Check[];
  statistics(view: View<Common, Facts>): Opinion;
  adversary(view: AllReadings<Common, Facts>): Opinion;
  /** How many cases a judgement by comparison rests on; null where nothing is compared. */
  sample?(common: Common): number | null;
  /** The single steps of the rules where the checks only sum them up. They are for the trace and are not judged. */
  walked?(view: View<Common, Facts>): readonly Step[];
}

export function check(
  id: string,
  outcome: Outcome,
  detail: string,
  sources: readonly Source[],
  options: { hard?: boolean } = {},
): Check {
  return options.hard === true
    ? { id, outcome, hard: true, detail, sources }
    : { id, outcome, detail, sources };
}

/** A seat's reading of one chain as a source. */
export function chainSource(view: View<unknown, unknown>, chain: string): Source {
  const block = view.blocks[chain];
  return {
    name: block === undefined ? `${view.source}, ${chain}` : `${view.source}, ${chain} block ${block.number}`,
    asOf: block?.at ?? view.at,
    limit: view.limit,
  };
}

/**
 * Turns checks into a vote: one FLAG flags, one INCONCLUSIVE prevents CLEAN, and without any check nothing is
 * established.
 */
export function voteOfChecks(checks: readonly Check[]): Verdict {
  if (checks.some((c) => c.outcome === 'FLAG')) return 'FLAGGED';
  if (checks.length === 0 || checks.some((c) => c.outcome !== 'PASS')) return 'INCONCLUSIVE';
  return 'CLEAN';
}
