import { formatUsd, type Micro, parseUsd } from '../../money.ts';
import { type Comparable, halfLifeDays, reachDays, SIMILARITIES, type Similarity } from './comparables.ts';
import { shareOf } from './sale-weight.ts';

/** A sale with its weight. Weights are whole millionths, so that sums are exact in any order. */
export interface Weighed {
  readonly price: Micro;
  readonly weight: bigint;
}

/** The market that comparable sales show. Amounts in micro-dollars. */
export interface Market {
  /** The loosest similarity among the weighed sales. */
  readonly similarity: Similarity;
  /** The sales weighed. */
  readonly sales: readonly Weighed[];
  /** Sales of the same similarity that are shown but not weighed. */
  readonly dropped: readonly Weighed[];
  readonly median: Micro;
  readonly low: Micro;
  readonly high: Micro;
  /** Tenths of sales: how many sales of full weight these amount to after their age is counted (Kish). */
  readonly effectiveTenths: number;
  /** Per mille of the median: 1.4826 times the median absolute deviation. */
  readonly spreadPerMille: number;
}

/** What a market's evidence is enough for: nothing, a report, or a flag. */
export type Weight = 'none' | 'report' | 'flag';

const LEAST_TENTHS = 50;
const FLAG_TENTHS = 90;
const MOST_SPREAD = 350;
const DAY = 86_400_000;
const FULL = 1_000_000;

/**
 * The market of the most similar sales that are enough: sales of the same asset alone, or together with those of its
 * kind, or together with those of its category. Dropped sales count in this choice, so that dropping one cannot change
 * the similarity. Null when nothing can be weighed.
 */
export function marketOf(comparables: readonly Comparable[], category: string, at: string): Market | null {
  const weighed = comparables.flatMap((c) => {
    const sale = weigh(c, category, at);
    return sale === null ? [] : [{ ...sale, similarity: c.similarity, kept: c.dropped === null }];
  });
  const upTo = (s: Similarity) =>
    weighed.filter((c) => SIMILARITIES.indexOf(c.similarity) <= SIMILARITIES.indexOf(s));
  const similarity = SIMILARITIES.find((s) => effective(upTo(s)) >= LEAST_TENTHS) ?? 'same-category';
  const group = upTo(similarity).sort(byPrice);
  const sales = group.filter((c) => c.kept);
  const [first, last] = [sales[0], sales.at(-1)];
  if (first === undefined || last === undefined) return null;
  const median = weightedMedian(sales);
  const off = sales.map(({ price, weight }) => ({
    price: median === 0n ? 0n : ((price > median ? price - median : median - price) * 10_000_000n) / median,
    weight,
  }));
  return {
    similarity,
    sales: sales.map(bare),
    dropped: group.filter((c) => !c.kept).map(bare),
    median,
    low: first.price,
    high: last.price,
    effectiveTenths: effective(sales),
    spreadPerMille: Number((weightedMedian(off.sort(byPrice)) * 14_826n) / 100_000_000n),
  };
}

function bare({ price, weight }: Weighed): Weighed {
  return { price, weight };
}

/** Null for a sale in the future, a sale that is too old, and one whose price or time cannot be read. */
function weigh(c: Comparable, category: string, at: string): Weighed | null {
  const age = (Date.parse(at) - Date.parse(c.soldAt)) / DAY;
  if (!(age >= 0 && age <= reachDays(category))) return null;
  const price = priceOf(c.priceUsd);
  if (price === null || price === 0n) return null;
  return { price, weight: BigInt(Math.round(FULL * shareOf(c) * 2 ** (-age / halfLifeDays(category)))) };
}

function priceOf(text: string): Micro | null {
  try {
    return parseUsd(text, 'priceUsd');
  } catch {
    return null;
  }
}

function byPrice(a: Weighed, b: Weighed): number {
  if (a.price !== b.price) return a.price < b.price ? -1 : 1;
  return a.weight < b.weight ? -1 : a.weight > b.weight ? 1 : 0;
}

/**
 * The effective number of sales (Kish): the square of the sum of weights over the sum of their squares, in tenths,
 * rounded down.
 */
function effective(sales: readonly Weighed[]): number {
  const squares = sum(sales.map((s) => s.weight * s.weight));
  const total = sum(sales.map((s) => s.weight));
  return squares === 0n ? 0 : Number((10n * total * total) / squares);
}

/**
 * The weighted median of sales sorted by price: half of the weight lies on either side. Where the halves meet exactly
 * between two prices, it is their midpoint. Taking logarithms of the prices would give the same sale, so it takes none.
 */
function weightedMedian(sorted: readonly Weighed[]): Micro {
  const total = sum(sorted.map((s) => s.weight));
  let below = 0n;
  for (const [i, sale] of sorted.entries()) {
    below += sale.weight;
    if (below * 2n < total) continue;
    const next = sorted[i + 1];
    return below * 2n === total && next !== undefined ? (sale.price + next.price) / 2n : sale.price;
  }
  return 0n;
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => a + b, 0n);
}

/**
 * Nothing with fewer than five effective sales or too wide a spread, a report with fewer than nine, otherwise a flag.
 */
export function carries(market: Market | null): Weight {
  if (market === null || market.effectiveTenths < LEAST_TENTHS || market.spreadPerMille > MOST_SPREAD)
    return 'none';
  return market.effectiveTenths < FLAG_TENTHS ? 'report' : 'flag';
}

/** Why a market is enough for nothing; null when it is enough for something. */
export function whyNone(market: Market | null): string | null {
  if (market === null) return 'no comparable sale was found';
  if (market.effectiveTenths < LEAST_TENTHS)
    return `${counted(market)}, and five are needed before a price can be judged`;
  if (market.spreadPerMille > MOST_SPREAD)
    return `${counted(market)} lie too far apart: ${market.spreadPerMille / 10} percent of the median, where 35 is the most`;
  return null;
}

const NEARNESS: Readonly<Record<Similarity, string>> = {
  'same-asset': 'of this very asset',
  'same-kind': 'of its kind',
  'same-category': 'of its category, which may be quite different goods',
};

/** "12 sales of its kind (9.4 once age is counted)". */
export function counted({ sales, similarity, effectiveTenths }: Market): string {
  const many = `${sales.length} sale${sales.length === 1 ? '' : 's'}`;
  return `${many} ${NEARNESS[similarity]} (${effectiveTenths / 10} once age is counted)`;
}

/** The figures of a market in one sentence. */
export function described(market: Market): string {
  const { low, high, median } = market;
  return `${counted(market)}, from ${formatUsd(low)} to ${formatUsd(high)}, half of them below ${formatUsd(median)}`;
}
