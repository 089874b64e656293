import { type Choices, type Weighed, weighVerdicts } from '../../../agents/deal/effect.ts';
import type { Determination } from '../../../agents/determinations/panel/types.ts';

/**
 * The choices of every owner in a test market: to go on when price, provenance or bidding could not be judged, and to
 * stop when anything is FLAGGED.
 */
const CHOICES: Choices = { wallet: '0xowner', onFlagged: 'stop', onInconclusive: 'proceed', mandate: null };

/** The effect of one side's determinations under these choices. */
export function weighed(determinations: readonly Determination[]): Weighed {
  return weighVerdicts(determinations, CHOICES);
}

/** Whether a determination stops its deal by itself. */
export function stops(determination: Determination): boolean {
  return weighed([determination]).effect !== 'proceed';
}
