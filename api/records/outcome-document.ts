import type { Static } from 'typebox';
import type { FiledOutcome } from '../../store/records/outcomes.ts';
import type { OutcomeDocument } from '../shapes.ts';

/** An outcome as it is answered, and shown with its record. */
export function outcomeDocument(filed: FiledOutcome): Static<typeof OutcomeDocument> {
  const { signer, outcome, kind, evidence, filedAt } = filed;
  return {
    by: signer,
    outcome,
    ...(kind === null ? {} : { kind }),
    evidence: [...evidence],
    filedAt: filedAt.toISOString(),
  };
}
