import { judge } from './judge.ts';
import { rollVerdict } from './rollup.ts';
import type { DeterminationId, RecordEvidence, RecordVerdict, Verdict } from './types.ts';

export interface Recomputed {
  readonly verdict: RecordVerdict;
  readonly determinations: readonly { readonly id: DeterminationId; readonly verdict: Verdict }[];
}

/** Judges a record again from the evidence kept with it: no chain, no register, no clock is asked. */
export function recompute(evidence: RecordEvidence): Recomputed {
  const determinations = evidence.determinations.map((e) => judge(e));
  return {
    verdict: rollVerdict(determinations),
    determinations: determinations.map(({ id, verdict }) => ({ id, verdict })),
  };
}
