import type { Opinion, Step } from './judging.ts';

/** One numeric feature of the evidence. Its points are weight times value, never below zero. */
export interface Feature {
  readonly name: string;
  readonly value: number;
  readonly weight: number;
  readonly meaning: string;
  /** Points from this feature alone decide, without a vote. */
  readonly hard?: boolean;
}

/** A seat votes FLAGGED from this many points on. */
export const FLAG_AT = 50;

/**
 * A readable scorecard: it shows every feature with its value, weight and points. Nothing is subtracted, so a further
 * adverse fact can only raise the score.
 * @param coverage 0 to 1: the share of the needed facts that could be read; below 1 the vote is never CLEAN
 */
export function scorecard(
  features: readonly Feature[],
  coverage: number,
  missing: readonly string[],
): Opinion {
  const scored = features.map((f) => ({ ...f, points: points(f) }));
  const total = scored.reduce((sum, f) => sum + f.points, 0);
  const hard = scored.some((f) => f.hard === true && f.points > 0);
  const steps: Step[] = scored.map((f) => ({
    claim: f.meaning,
    rule: `${f.name}: ${f.weight} points each`,
    input: String(f.value),
    outcome: `${f.points} points`,
  }));
  if (hard || total >= FLAG_AT) {
    const named = scored.filter((f) => f.points > 0).map((f) => `${f.meaning} (${f.points} points)`);
    return { vote: 'FLAGGED', hard, reasons: [`score ${total} of ${FLAG_AT}`, ...named], steps };
  }
  if (!(coverage >= 1)) {
    // Missing facts are named. A share alone would also count as unread a fact that was read but is too old to use.
    const reasons = missing.length > 0 ? missing : ['a fact that it needs could not be read'];
    return { vote: 'INCONCLUSIVE', hard: false, reasons, steps };
  }
  return { vote: 'CLEAN', hard: false, reasons: [`score ${total}, below ${FLAG_AT}`], steps };
}

/** A value that is not a number must not disappear, so it counts as one occurrence. */
function points(feature: Feature): number {
  const value = Number.isFinite(feature.value) ? Math.max(0, feature.value) : 1;
  return Math.round(feature.weight * value);
}

/** Something the adversary looks for. A ground with `unread` is a gap, not a finding. */
export interface Ground {
  readonly holds: boolean;
  readonly hard?: boolean;
  readonly unread?: boolean;
  readonly says: string;
  /** The facts themselves, each with what it takes to find it again; what `says` tells, where there are none. */
  readonly facts?: readonly string[];
}

/** A finding that holds where there are such facts. */
export function adverse(says: string, facts: readonly string[], options: { hard?: boolean } = {}): Ground {
  return { holds: facts.length > 0, says, facts, ...options };
}

/** The adversary's vote: one adverse ground is enough for FLAGGED, and one gap prevents CLEAN. */
export function argue(grounds: readonly Ground[]): Opinion {
  const held = grounds.filter((g) => g.holds);
  const found = held.filter((g) => g.unread !== true);
  return {
    vote: found.length > 0 ? 'FLAGGED' : held.length > 0 ? 'INCONCLUSIVE' : 'CLEAN',
    hard: found.some((g) => g.hard === true),
    facts: found.map(inWords),
    reasons: held.length > 0 ? held.map(inWords) : ['no ground for a flag was found'],
    steps: grounds.map((g) => ({
      claim: g.says,
      rule: g.unread === true ? 'a gap denies CLEAN' : 'anything adverse argues for FLAGGED',
      input: g.holds ? 'holds' : 'does not hold',
      outcome: !g.holds ? 'none' : g.unread === true ? 'INCONCLUSIVE' : 'FLAGGED',
    })),
  };
}

function inWords({ says, facts = [] }: Ground): string {
  return facts.length === 0 ? says : `${says}: ${facts.join('; ')}`;
}
