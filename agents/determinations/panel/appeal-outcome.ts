import type { Recomputed } from './recompute.ts';
import type { DeterminationId, Verdict } from './types.ts';

export interface AppealOutcome {
  /** What the first record held against its subject is CLEAN now, and nothing else is FLAGGED. */
  readonly overturned: boolean;
  /** What could not be judged this time, where the appeal depends on it: then it decides nothing. */
  readonly undecided: readonly DeterminationId[];
}

/**
 * Decides an appeal by the determinations of the first record and those on fresh evidence. What was FLAGGED counts; in
 * a record where nothing was, what could not be judged. One that is missing now is one that could not be judged.
 */
export function appealOutcome(
  before: Recomputed['determinations'],
  now: Recomputed['determinations'],
): AppealOutcome {
  if (now.some((d) => d.verdict === 'FLAGGED')) return { overturned: false, undecided: [] };
  const flagged = before.filter((d) => d.verdict === 'FLAGGED');
  const held = flagged.length > 0 ? flagged : before.filter((d) => d.verdict !== 'CLEAN');
  const again = (id: DeterminationId): Verdict => now.find((d) => d.id === id)?.verdict ?? 'INCONCLUSIVE';
  const undecided = held.filter((d) => again(d.id) !== 'CLEAN').map((d) => d.id);
  return { overturned: undecided.length === 0, undecided };
}
