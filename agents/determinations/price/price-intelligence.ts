import type { Comparable } from '../../market/pricing/comparables.ts';
import type { Estimate } from '../../market/pricing/model/price-model.ts';
import { carries, described, type Market, marketOf, whyNone } from '../../market/pricing/valuation.ts';
import { decides } from '../../market/pricing/worth.ts';
import { formatUsd, type Micro, parseUsd } from '../../money.ts';
import { check, type Judging, type Opinion, type View } from '../panel/judging.ts';
import { argue, scorecard } from '../panel/scorecard.ts';
import type { Check, Outcome } from '../panel/types.ts';
import {
  beyondInterval,
  byAttributes,
  estimatedBy,
  judgedByAttributes,
  scoredByAttributes,
} from './price-by-attributes.ts';
import type { PriceCommon } from './price-evidence.ts';
import { priceScores } from './price-scores.ts';
import { priceSources } from './price-sources.ts';
import { type Tolerance, toleranceOf } from './price-tolerance.ts';

type NoFacts = Readonly<Record<string, never>>;

/** The position of a price in its market. */
interface Standing {
  /** Higher than every sale, or lower than every sale. */
  readonly outside: 'above' | 'below' | null;
  /** More than 25 percent from the median in that direction, so that it cannot be called usual. */
  readonly far: boolean;
  /** Further from the median than honest goods of this similarity differ. */
  readonly beyond: boolean;
  /** The price would be far off if some of the dropped sales were weighed. */
  readonly hangs: boolean;
}

export const priceIntelligence: Judging<PriceCommon, NoFacts> = {
  rules,
  sample: ({ comparables = [] }) => comparables.filter((c) => c.dropped === null).length,
  statistics: ({ common, at }) =>
    common.comparables === undefined
      ? scorecard([], 0, ['no comparable sales were weighed'])
      : scored(common, common.comparables, at),
  adversary: ({ common, at }) => {
    if (common.comparables === undefined)
      return argue([{ holds: true, unread: true, says: 'no comparable sales were weighed' }]);
    const told = byAttributes(common, at);
    if (decides(told))
      return argue([
        {
          holds: told.unfit === null && beyondInterval(told),
          says: 'the price is beyond what its attributes explain',
        },
        {
          holds: told.unfit !== null,
          unread: true,
          says: told.unfit?.says ?? 'its attributes tell no price',
        },
      ]);
    const market = nearMarket(common, common.comparables, at);
    const price = parseUsd(common.priceUsd, 'priceUsd');
    const weight = carries(market);
    const { outside, far, beyond, hangs } =
      market === null
        ? { outside: null, far: false, beyond: false, hangs: false }
        : standing(market, price, common.subject ?? null);
    return argue([
      {
        holds: weight === 'flag' && beyond,
        says: `the price is ${outside} every sale, and further off the median than such goods differ`,
      },
      { holds: weight === 'report' && far, unread: true, says: 'it looks off, by too few sales to say so' },
      { holds: far && !beyond, unread: true, says: 'it looks off, as a dearer or a plainer piece would' },
      { holds: hangs, unread: true, says: 'with the sales that were dropped it would look off' },
      { holds: weight === 'none', unread: true, says: whyNone(market) ?? 'the market is not known' },
    ]);
  },
};

function scored(common: PriceCommon, comparables: readonly Comparable[], at: string): Opinion {
  const told = byAttributes(common, at);
  if (decides(told)) return scoredByAttributes(told);
  return onlyCategory(common, comparables, marketOf(comparables, common.category, at))
    ? scorecard([], 0, ['sales of its category alone tell no price'])
    : priceScores(comparables, common, at);
}

/** The market of the sales; from version 2 of the rules on, none of which nothing but the category is known. */
function nearMarket(common: PriceCommon, comparables: readonly Comparable[], at: string): Market | null {
  const market = marketOf(comparables, common.category, at);
  return onlyCategory(common, comparables, market) ? null : market;
}

function onlyCategory(
  common: PriceCommon,
  comparables: readonly Comparable[],
  market: Market | null,
): boolean {
  if (common.pricing !== 2 || market?.similarity !== 'same-category') return false;
  return comparables.some((c) => c.similarity === 'same-category');
}

function rules(view: View<PriceCommon, NoFacts>): Check[] {
  return [...priceChecks(view), ...tieChecks(view)];
}

/** Whether the money of both sides of the sales could be followed. */
function tieChecks({ common: { ties }, at }: View<PriceCommon, NoFacts>): Check[] {
  if (ties === undefined) return [];
  const since = ties.from === undefined ? '' : ` from ${ties.from} on`;
  const limit = `dollars outside of deals${since}, followed back over ${ties.hops} transfers, of the ${ties.sales} nearest sales`;
  const sources = [{ name: "this service's index of transfers", asOf: at, limit }];
  return ties.fault === null
    ? [check('sales-apart', 'PASS', 'sales between sides that are close are weighed down', sources)]
    : [check('sales-apart', 'INCONCLUSIVE', `the money behind the sales: ${ties.fault}`, sources)];
}

function priceChecks({ common, at }: View<PriceCommon, NoFacts>): Check[] {
  const { comparables } = common;
  if (comparables === undefined) {
    return [
      check(
        'comparables',
        'INCONCLUSIVE',
        `no comparable sales were weighed against ${common.priceUsd} dollars`,
        [{ name: 'comparable sales', asOf: at, limit: 'not examined by this version of the rules' }],
      ),
    ];
  }
  const sources = priceSources(common, at);
  const told = byAttributes(common, at);
  if (decides(told))
    return [
      check(
        'comparables',
        told.unfit === null ? 'PASS' : 'INCONCLUSIVE',
        `${estimatedBy(told)}${setAside(comparables)}`,
        sources,
      ),
      check('price-in-market', ...judgedByAttributes(told, common.priceUsd), sources),
    ];
  const market = nearMarket(common, comparables, at);
  const why =
    market === null && onlyCategory(common, comparables, marketOf(comparables, common.category, at))
      ? aloneOf(told)
      : whyNone(market);
  if (market === null || why !== null) {
    return [
      check('comparables', 'INCONCLUSIVE', `${why}${setAside(comparables)}`, sources),
      check('price-in-market', 'INCONCLUSIVE', `${common.priceUsd} dollars cannot be judged`, sources),
    ];
  }
  const price = parseUsd(common.priceUsd, 'priceUsd');
  return [
    check('comparables', 'PASS', `${described(market)}${setAside(comparables)}`, sources),
    check('price-in-market', ...judged(market, price, common.subject ?? null), sources),
  ];
}

function aloneOf(told: Estimate | null): string {
  const few = told?.unfit?.says;
  return `sales of its category alone tell no price${few === undefined ? '' : `: ${few}`}`;
}

/**
 * Flags a price outside all sales if it is further from the median than honest goods of this similarity differ, and the
 * sales are enough for a flag. A price that is more than a quarter off but not that far may belong to another piece, or
 * may be wrong, so it is INCONCLUSIVE.
 */
function judged(market: Market, price: Micro, subject: string | null): [Outcome, string] {
  const { outside, far, beyond, hangs } = standing(market, price, subject);
  const gap = price > market.median ? price - market.median : market.median - price;
  const percent = Number((gap * 1_000n) / market.median) / 10;
  const side =
    price === market.median ? 'at' : `${percent} percent ${price > market.median ? 'above' : 'below'}`;
  const says = `${formatUsd(price)} is ${side} the median of ${formatUsd(market.median)}`;
  if (outside === null) return ['PASS', `${says} and between the lowest and the highest sale`];
  const tolerance = toleranceOf(market.similarity, subject);
  if (beyond && carries(market) === 'flag')
    return ['FLAG', `${says}, and ${outside} every sale: ${bounds(tolerance)}`];
  if (far) {
    const why =
      carries(market) === 'flag'
        ? tolerance === null
          ? 'sales of the category alone flag no price'
          : `${tolerance.because}, and ${bounds(tolerance)} would be flagged`
        : 'fewer than nine sales report, and do not flag';
    return ['INCONCLUSIVE', `${says}, and ${outside} every sale; ${why}`];
  }
  if (hangs)
    return ['INCONCLUSIVE', `${says}; with the sales that were dropped it could be more than 25 percent off`];
  return ['PASS', `${says}; ${outside} every sale, by less than 25 percent of the median`];
}

function bounds(tolerance: Tolerance | null): string {
  const above = Number(tolerance?.above ?? 0n);
  return `more than ${above} percent of the median, or less than ${Math.round(10_000 / above)}`;
}

function standing(
  { similarity, sales, dropped, median, low, high }: Market,
  price: Micro,
  subject: string | null,
): Standing {
  const outside = price > high ? 'above' : price < low ? 'below' : null;
  const far = outside === 'above' ? price * 4n > median * 5n : price * 4n < median * 3n;
  const tolerance = toleranceOf(similarity, subject);
  const [more, less] = outside === 'above' ? [price, median] : [median, price];
  const beyond = tolerance !== null && more * 100n > less * tolerance.above;
  // Weighing some of the dropped sales can move the median past the bound, if those beyond the bound tip the balance.
  const tipping = ({ price: sale }: { price: Micro }): boolean =>
    outside === 'above' ? price * 4n > sale * 5n : price * 4n < sale * 3n;
  const weight = (of: readonly { weight: bigint }[]): bigint => of.reduce((sum, s) => sum + s.weight, 0n);
  const extra = weight(dropped.filter(tipping));
  const hangs = outside !== null && extra > 0n && 2n * weight(sales.filter(tipping)) + extra >= weight(sales);
  return { outside, far: outside !== null && far, beyond: outside !== null && beyond, hangs };
}

const SET_ASIDE = {
  flagged: 'flagged trades',
  repeat: 'repeats of one pair',
  party: 'trades of the parties themselves',
  related: "trades between sides with each other's money",
} as const;

function setAside(comparables: readonly Comparable[]): string {
  const parts = (['flagged', 'repeat', 'party', 'related'] as const).flatMap((why) => {
    const n = comparables.filter((c) => c.dropped === why).length;
    return n === 0 ? [] : [`${n} ${SET_ASIDE[why]}`];
  });
  return parts.length === 0 ? '' : `; not weighed: ${parts.join(', ')}`;
}
