import { type Comparable, halfLifeDays, reachDays, SIMILARITIES } from '../../market/pricing/comparables.ts';
import type { Opinion } from '../panel/judging.ts';
import { scorecard } from '../panel/scorecard.ts';
import { toleranceOf } from './price-tolerance.ts';

interface LogSale {
  readonly log: number;
  readonly weight: number;
  readonly rank: number;
  readonly kept: boolean;
}

const DAY = 86_400_000;
const ENOUGH = 5;
const MANY = 9;
const FAR_ABOVE = Math.log(1.25);
const FAR_BELOW = Math.log(0.75);
const MOST_SPREAD = 0.35;

/**
 * Scores the price as a rank among log prices: how much weight lies so far from it that the price would be a quarter
 * off. It uses its own code, in floating point, and shares no arithmetic with the rules.
 */
export function priceScores(
  comparables: readonly Comparable[],
  asked: { readonly category: string; readonly priceUsd: string; readonly subject?: string | null },
  at: string,
): Opinion {
  const { category, priceUsd, subject = null } = asked;
  const all = comparables
    .map((c) => logSale(c, category, at))
    .filter((c): c is LogSale => c !== null)
    // Sorting makes the result independent of the order of the sales: a sum of floats depends on its order.
    .sort(
      (a, b) => a.log - b.log || a.weight - b.weight || a.rank - b.rank || Number(a.kept) - Number(b.kept),
    );
  const rank = SIMILARITIES.findIndex((_, i) => kish(all.filter((s) => s.rank <= i)) >= ENOUGH);
  const group = all.filter((s) => rank === -1 || s.rank <= rank);
  const kept = group.filter((s) => s.kept);
  const n = kish(kept);
  const price = Math.log(Number(priceUsd));
  if (n < ENOUGH) return scorecard([], 0, [`sales worth ${n.toFixed(1)} after age, where five are needed`]);
  const middle = median(kept);
  const spread = 1.4826 * median(kept.map((s) => ({ ...s, log: Math.abs(Math.expm1(s.log - middle)) })));
  if (!(spread <= MOST_SPREAD)) {
    return scorecard([], 0, [`the sales spread over ${(spread * 100).toFixed(0)} percent of their median`]);
  }
  const logs = kept.map((s) => s.log);
  const above = price > Math.max(...logs) + 1e-12;
  const below = price < Math.min(...logs) - 1e-12;
  const far = (s: LogSale): boolean =>
    above ? price - s.log > FAR_ABOVE : below ? price - s.log < FAR_BELOW : false;
  const heavy = weight(kept.filter(far)) / weight(kept);
  const off = above || below ? (above ? price - middle > FAR_ABOVE : price - middle < FAR_BELOW) : false;
  const nearest = rank === -1 ? SIMILARITIES.length - 1 : rank;
  const tolerance = toleranceOf(SIMILARITIES[nearest]!, subject);
  const most = tolerance === null ? Number.POSITIVE_INFINITY : Math.log(Number(tolerance.above) / 100);
  const beyond = off && Math.abs(price - middle) > most;
  const extra = weight(group.filter((s) => !s.kept && far(s)));
  const hangs = extra > 0 && 2 * weight(kept.filter(far)) + extra >= weight(kept) * (1 - 1e-9);
  const gaps = [
    ...(off && n < MANY ? [`the price is off, by ${n.toFixed(1)} sales where nine are needed to flag`] : []),
    ...(off && n >= MANY && !beyond
      ? ['the price is off, and no further than a dearer or a plainer piece would be']
      : []),
    ...(hangs ? ['the answer hangs on sales that were dropped'] : []),
  ];
  return scorecard(
    [
      {
        name: 'beyond-every-sale',
        value: beyond && n >= MANY ? 1 : 0,
        weight: 60,
        meaning: `${(heavy * 100).toFixed(0)} percent of the sales lie a quarter or more from a price beyond all of them`,
      },
      {
        name: 'at-the-edge',
        value: above || below ? 1 : 0,
        weight: 5,
        meaning: above ? 'above every sale' : below ? 'below every sale' : 'among the sales',
      },
    ],
    gaps.length === 0 ? 1 : 0.5,
    gaps,
  );
}

function logSale(c: Comparable, category: string, at: string): LogSale | null {
  const age = (Date.parse(at) - Date.parse(c.soldAt)) / DAY;
  const price = Number(c.priceUsd);
  if (!(age >= 0 && age <= reachDays(category) && price > 0 && Number.isFinite(price))) return null;
  return {
    log: Math.log(price),
    weight: Math.exp((-age * Math.LN2) / halfLifeDays(category)),
    rank: SIMILARITIES.indexOf(c.similarity),
    kept: c.dropped === null,
  };
}

function weight(sales: readonly LogSale[]): number {
  return sales.reduce((sum, s) => sum + s.weight, 0);
}

function kish(sales: readonly LogSale[]): number {
  const squares = sales.reduce((sum, s) => sum + s.weight * s.weight, 0);
  return squares === 0 ? 0 : weight(sales) ** 2 / squares + 1e-9;
}

function median(sales: readonly LogSale[]): number {
  const sorted = [...sales].sort((a, b) => a.log - b.log || a.weight - b.weight);
  const half = weight(sorted) / 2;
  let below = 0;
  for (const [i, sale] of sorted.entries()) {
    below += sale.weight;
    if (below < half * (1 - 1e-12)) continue;
    const next = sorted[i + 1];
    const between = next !== undefined && Math.abs(below - half) <= half * 1e-12;
    return between ? (sale.log + next.log) / 2 : sale.log;
  }
  return Number.NaN;
}
