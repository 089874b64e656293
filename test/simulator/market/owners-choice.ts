import { type Choices, type Weighed, weighVerdicts } from '../../../agents/deal/effect.ts';
import type { Determination } from '../../../agents/determinations/panel/types.ts';

/**
 * The owners of the market of a test all choose to go on where price, provenance or bidding could not be judged, and
 * stop for whatever is FLAGGED.
 */
const CHOICES: Choices = { wallet: '0xowner', onFlagged: 'stop', onInconclusive: 'proceed', mandate: null };

/** What one side's determinations cause under that choice. */
export function weighed(determinations: readonly Determination[]): Weighed {
  return weighVerdicts(determinations, CHOICES);
}

/** Whether a determination stops its deal by itself. */
export function stops(determination: Determination): boolean {
  return weighed([determination]).effect !== 'proceed';
}
