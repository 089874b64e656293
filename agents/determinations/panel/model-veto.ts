import { addressedToReader } from './addressed.ts';
import type { Opinion } from './judging.ts';
import { modelView } from './model-view.ts';
import type { DeterminationEvidence, SeatReading, Verdict } from './types.ts';

const WEIGHT: Readonly<Record<Verdict, number>> = { CLEAN: 0, INCONCLUSIVE: 1, FLAGGED: 2 };

/**
 * The vote of a seat with a language model: the worse of its method's own vote and the model's. The model's vote is
 * absent, and so never CLEAN, if it gave no usable answer or read text that addresses its reader. A model neither
 * raises nor lifts a hard flag.
 */
export function applyModelVeto<Own extends Opinion>(
  own: Own,
  { id, common }: Pick<DeterminationEvidence, 'id' | 'common'>,
  reading: SeatReading,
): Own {
  const { heard, facts } = reading;
  const by = heard?.by ?? 'the model';
  const lure = heard?.vote == null ? null : addressedToReader({ common: modelView(id, common), facts });
  const silence =
    heard?.vote == null
      ? (heard?.silence ?? 'it was not asked')
      : lure === null
        ? null
        : `${lure} speaks to whoever reads it`;
  const vote: Verdict = silence === null ? (heard?.vote ?? 'INCONCLUSIVE') : 'INCONCLUSIVE';
  const said = silence === null ? (heard?.reasons ?? []) : [`${by} gave no vote: ${silence}`];
  return {
    ...own,
    vote: WEIGHT[vote] > WEIGHT[own.vote] ? vote : own.vote,
    reasons: [...(own.vote === 'CLEAN' ? [] : own.reasons), ...said],
    steps: [
      ...own.steps,
      {
        claim: said.join('; ') || `${by} found nothing adverse`,
        rule: 'a language model may tighten a vote, and never loosen one',
        input: by,
        outcome: vote,
      },
    ],
  };
}
