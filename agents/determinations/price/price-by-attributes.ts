import { asked, type Estimate } from '../../market/pricing/model/price-model.ts';
import { valuedOnce } from '../../market/pricing/worth.ts';
import type { Opinion } from '../panel/judging.ts';
import { scorecard } from '../panel/scorecard.ts';
import type { Outcome } from '../panel/types.ts';
import type { PriceCommon } from './price-evidence.ts';

/**
 * The price that the attributes of a thing lead to expect. Null where evidence is of an earlier release, or tells no
 * attributes of the thing.
 */
export function byAttributes(common: PriceCommon, at: string): Estimate | null {
  const { pricing, attributes, comparables = [], category, priceUsd } = common;
  if (pricing !== 2 || attributes === undefined) return null;
  const found = valuedOnce(attributes, comparables, { category, at });
  return found === null ? null : asked(found, priceUsd);
}

/** A price outside of the interval in which 19 of 20 honest prices lie is a FLAG. */
export function judgedByAttributes(found: Estimate, priceUsd: string): [Outcome, string] {
  if (found.unfit !== null)
    return ['INCONCLUSIVE', `${priceUsd} dollars cannot be judged: ${found.unfit.says}`];
  const price = Number(priceUsd);
  const says = `${priceUsd} dollars; such a thing is expected at ${dollars(found.expected)}, and in 19 of 20 cases between ${dollars(found.low)} and ${dollars(found.high)}`;
  if (price > found.high) return ['FLAG', `${says}: it is above`];
  return price < found.low ? ['FLAG', `${says}: it is below`] : ['PASS', says];
}

/** The sales by which it is estimated, in words. */
export function estimatedBy(found: Estimate): string {
  return `${found.sales} sales with attributes, ${found.alike} of them of the same thing by its attributes`;
}

/** The share of past errors beyond the price, instead of the bounds: by ranks. */
export function scoredByAttributes(found: Estimate): Opinion {
  if (found.unfit !== null) return scorecard([], 0, [found.unfit.says]);
  const { rank, expected } = found;
  const beyond = Math.min(rank, 1 - rank);
  return scorecard(
    [
      {
        name: 'among-past-errors',
        value: beyondInterval(found) ? 1 : 0,
        weight: 60,
        meaning: `${(100 * beyond).toFixed(1)} percent of past sales were further from what was expected, here ${dollars(expected)}`,
      },
    ],
    1,
    [],
  );
}

/** Whether as few past sales lay beyond the price as lie outside of the interval. */
export function beyondInterval({ rank, tails }: Estimate): boolean {
  return rank < tails.below || rank > 1 - tails.above;
}

function dollars(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(2);
}
