import type { Comparable } from '../market/comparables.ts';
import { carries, described, type Market, marketOf, whyNone } from '../market/valuation.ts';
import { formatUsd, type Micro, parseUsd } from '../money.ts';
import { check, type Judging, type View } from './judging.ts';
import type { ListSource } from './lists.ts';
import { priceScores } from './price-scores.ts';
import { argue, scorecard } from './scorecard.ts';
import type { Check, Outcome, Source } from './types.ts';

export interface PriceCommon {
  /** Dollars, decimal string. */
  readonly priceUsd: string;
  readonly category: string;
  /** The asset's key; null: only the category is known. */
  readonly subject?: string | null;
  /** Absent in evidence of before sales were weighed. */
  readonly comparables?: readonly Comparable[];
  /** Sales that were found and are not among them. */
  readonly leftOut?: number;
  /** The imported lists of comparable sales, as they stood. */
  readonly lists?: readonly ListSource[];
}

type NoFacts = Readonly<Record<string, never>>;

/** Where a price lies against its market. */
interface Standing {
  /** Above or below every sale. */
  readonly outside: 'above' | 'below' | null;
  /** More than 25 percent off the median, in that direction. */
  readonly far: boolean;
  /** Would be far off, had some of the dropped sales been weighed. */
  readonly hangs: boolean;
}

export const priceIntelligence: Judging<PriceCommon, NoFacts> = {
  rules,
  statistics: ({ common, at }) =>
    common.comparables === undefined
      ? scorecard([], 0, ['no comparable sales were weighed'])
      : priceScores(common.comparables, common.category, common.priceUsd, at),
  adversary: ({ common, at }) => {
    if (common.comparables === undefined)
      return argue([{ holds: true, unread: true, says: 'no comparable sales were weighed' }]);
    const market = marketOf(common.comparables, common.category, at);
    const price = parseUsd(common.priceUsd, 'priceUsd');
    const weight = carries(market);
    const { outside, far, hangs } =
      market === null ? { outside: null, far: false, hangs: false } : standing(market, price);
    const off = outside !== null && far;
    return argue([
      { holds: weight === 'flag' && off, says: `the price is ${outside} every sale and far off the median` },
      { holds: weight === 'report' && off, unread: true, says: 'it looks off, by too few sales to say so' },
      { holds: hangs, unread: true, says: 'with the sales that were dropped it would look off' },
      { holds: weight === 'none', unread: true, says: whyNone(market) ?? 'the market is not known' },
    ]);
  },
};

function rules({ common, at }: View<PriceCommon, NoFacts>): Check[] {
  const { comparables, category } = common;
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
  const sources = saleSources(common, at);
  const market = marketOf(comparables, category, at);
  const why = whyNone(market);
  if (market === null || why !== null) {
    return [
      check('comparables', 'INCONCLUSIVE', `${why}${setAside(comparables)}`, sources),
      check('price-in-market', 'INCONCLUSIVE', `${common.priceUsd} dollars cannot be judged`, sources),
    ];
  }
  const price = parseUsd(common.priceUsd, 'priceUsd');
  return [
    check('comparables', 'PASS', `${described(market)}${setAside(comparables)}`, sources),
    check('price-in-market', ...judged(market, price), sources),
  ];
}

/** A price outside all sales and more than a quarter off the median is flagged where the sales are enough for it. */
function judged(market: Market, price: Micro): [Outcome, string] {
  const { outside, far, hangs } = standing(market, price);
  const gap = price > market.median ? price - market.median : market.median - price;
  const percent = Number((gap * 1_000n) / market.median) / 10;
  const side =
    price === market.median ? 'at' : `${percent} percent ${price > market.median ? 'above' : 'below'}`;
  const says = `${formatUsd(price)} is ${side} the median of ${formatUsd(market.median)}`;
  if (outside === null) return ['PASS', `${says} and between the lowest and the highest sale`];
  if (far && carries(market) === 'flag')
    return ['FLAG', `${says}, and ${outside} every sale: more than 25 percent off`];
  if (far)
    return [
      'INCONCLUSIVE',
      `${says}, and ${outside} every sale; fewer than nine sales report, and do not flag`,
    ];
  if (hangs)
    return ['INCONCLUSIVE', `${says}; with the sales that were dropped it could be more than 25 percent off`];
  return ['PASS', `${says}; ${outside} every sale, by less than 25 percent of the median`];
}

function standing({ sales, dropped, median, low, high }: Market, price: Micro): Standing {
  const outside = price > high ? 'above' : price < low ? 'below' : null;
  const far = outside === 'above' ? price * 4n > median * 5n : price * 4n < median * 3n;
  // The median can be moved past the bound by weighing some of the dropped sales, if those beyond it tip the balance.
  const beyond = ({ price: sale }: { price: Micro }): boolean =>
    outside === 'above' ? price * 4n > sale * 5n : price * 4n < sale * 3n;
  const weight = (of: readonly { weight: bigint }[]): bigint => of.reduce((sum, s) => sum + s.weight, 0n);
  const extra = weight(dropped.filter(beyond));
  const hangs = outside !== null && extra > 0n && 2n * weight(sales.filter(beyond)) + extra >= weight(sales);
  return { outside, far: outside !== null && far, hangs };
}

const SET_ASIDE = {
  flagged: 'flagged trades',
  repeat: 'repeats of one pair',
  party: 'trades of the parties themselves',
} as const;

function setAside(comparables: readonly Comparable[]): string {
  const parts = (['flagged', 'repeat', 'party'] as const).flatMap((why) => {
    const n = comparables.filter((c) => c.dropped === why).length;
    return n === 0 ? [] : [`${n} ${SET_ASIDE[why]}`];
  });
  return parts.length === 0 ? '' : `; not weighed: ${parts.join(', ')}`;
}

function saleSources({ comparables = [], lists = [], leftOut = 0 }: PriceCommon, at: string): Source[] {
  const own = comparables.filter((c) => c.source === OWN_SALES).length;
  const more = leftOut > 0 ? `; ${leftOut} further sales were not read` : '';
  const here: Source = {
    name: OWN_SALES,
    asOf: at,
    limit: `${own} sales; asks and bids do not count; nothing sold elsewhere${more}`,
  };
  const imported = lists
    .filter((l) => l.rows > 0)
    .map((l) => ({
      name: l.name,
      asOf: l.asOf,
      limit: `${l.rows} sales as the list states them, not verified here`,
    }));
  return [here, ...imported];
}

/** The source of what was sold on this platform. */
export const OWN_SALES = "this platform's settled deals";
