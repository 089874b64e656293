import { type Comparable, halfLifeDays, reachDays } from '../comparables.ts';
import { shareOf } from '../sale-weight.ts';
import { fitted, type Table } from './additive-fit.ts';
import { type Attributes, groupsOf, identityOf, type Told, told } from './attributes.ts';

/** What sales of things with attributes say of the worth of one thing, whatever is asked for it. Dollars. */
export interface Valuation {
  /** Sales that were weighed, and how many of them have the same identity: maker and model, or all its texts. */
  readonly sales: number;
  readonly alike: number;
  readonly expected: number;
  /** An honest price lies between them in 19 of 20 cases. */
  readonly low: number;
  readonly high: number;
  /** The shares of past errors that lie below and above the interval. */
  readonly tails: { readonly below: number; readonly above: number };
  /** Why no price can be judged by it: too few sales, or such things' prices differ too much. Null when it can. */
  readonly unfit: { readonly kind: 'few' | 'wide'; readonly says: string } | null;
  /** How far past sales were off, in the thing's own doubts, from the lowest; none where it is unfit. */
  readonly errors: readonly Scored[];
  /** How far off such a thing is predicted, as a logarithm. */
  readonly doubt: number;
}

/** A valuation with the price that is asked. */
export interface Estimate extends Valuation {
  /** The share of past errors that were lower than the asked price's would be: 0 is below all of them, 1 above. */
  readonly rank: number;
}

interface Scored {
  readonly score: number;
  readonly weight: number;
}

/** Fewer sales give no interval. */
const LEAST_SALES = 40;
/** Fewer sales of its identity say nothing of it: the category alone tells no price. */
const LEAST_ALIKE = 2;
/** How far off such things were predicted at most, as a share of the price, for the prediction to be used. */
const MOST_DOUBT = 0.74;
/** The tails that lie outside of the interval. Cheap outliers are commoner than dear ones. */
const BELOW = 0.024;
const ABOVE = 0.02;
/** A price so near to what is expected is never beyond it, however alike past sales were: a tenth, as a logarithm. */
const NEAR = Math.log(1.1);
const FOLDS = 10;
const NEIGHBOURS = 60;
const MOST_CALIBRATED = 800;
const DAY = 86_400_000;

/**
 * Values a thing by its attributes among sales of its category: one additive model of log prices, and an interval from the
 * errors it makes on sales that it did not see (conformal prediction with normalised scores: Papadopoulos, Gammerman, Vovk,
 * 2008; cross-validation+: Barber, Candès, Ramdas, Tibshirani, 2021). Null where nothing is known to compare.
 * @param at ISO 8601
 */
export function valued(
  subject: Attributes,
  comparables: readonly Comparable[],
  when: { readonly category: string; readonly at: string },
): Valuation | null {
  const own = told(subject);
  const identity = identityOf(own);
  if (identity === null) return null;
  const sales = comparables
    .flatMap((sale) => {
      const weight = sale.dropped === null && sale.attributes !== undefined ? weightOf(sale, when) : 0;
      const price = Number(sale.priceUsd);
      if (!(weight > 0 && price > 0 && Number.isFinite(price))) return [];
      return [{ told: told(sale.attributes!), log: Math.log(price), weight, id: sale.id }];
    })
    // The same whatever the order of the sales: a sum of floats depends on it.
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.log - b.log));
  if (sales.length === 0) return null;
  const alike = sales.filter((sale) => identityOf(sale.told) === identity).length;
  const tails = { below: BELOW, above: ABOVE };
  const none = { sales: sales.length, alike, expected: 0, low: 0, high: 0, tails, errors: [], doubt: 0 };
  if (sales.length < LEAST_SALES)
    return few(none, `${sales.length} sales tell their attributes, where ${LEAST_SALES} are needed`);
  if (alike < LEAST_ALIKE)
    return few(
      none,
      `${alike} sales are of the same ${own.texts.has('model') ? 'make and model' : 'description'}`,
    );
  const things = [...sales.map((sale) => sale.told), own];
  const logs = Float64Array.from([...sales.map((sale) => sale.log), 0]);
  const weights = Float64Array.from([...sales.map((sale) => sale.weight), 0]);
  const table = tableOf(things, own);
  const all = sales.map((_, i) => i);
  const last = sales.length;
  const expected = fitted(table, logs, all, weights)[last]!;
  const unseen = crossPredicted(table, logs, all, weights);
  unseen[last] = expected;
  const errors = all.map((i) => logs[i]! - unseen[i]!);
  const doubts = doubtsOf(table, things, own, unseen, errors, last);
  const doubt = doubts.get(last)!;
  const calibrated = all.flatMap((i) => {
    const width = doubts.get(i);
    return width === undefined || width > MOST_DOUBT
      ? []
      : [{ score: errors[i]! / width, weight: weights[i]! }];
  });
  const scores = calibrated.sort((a, b) => a.score - b.score || a.weight - b.weight);
  if (doubt > MOST_DOUBT || scores.length < LEAST_SALES) {
    const percent = Math.round(100 * doubt);
    const says = `such things are priced by their attributes to ${percent} percent only`;
    return { ...none, expected: Math.exp(expected), unfit: { kind: 'wide', says } };
  }
  return {
    ...{ ...none, expected: Math.exp(expected), unfit: null, errors: scores, doubt },
    low: Math.exp(expected + Math.min(-NEAR, doubt * quantile(scores, BELOW))),
    high: Math.exp(expected + Math.max(NEAR, doubt * quantile(scores, 1 - ABOVE))),
  };
}

/** The valuation with where a price stands among past errors. */
export function asked(of: Valuation, priceUsd: string): Estimate {
  if (of.unfit !== null) return { ...of, rank: 0.5 };
  const off = Math.log(Number(priceUsd)) - Math.log(of.expected);
  return { ...of, rank: Math.abs(off) <= NEAR ? 0.5 : rankOf(of.errors, off / of.doubt) };
}

function few(none: Omit<Valuation, 'unfit'>, says: string): Valuation {
  return { ...none, unfit: { kind: 'few', says } };
}

function weightOf(sale: Comparable, { category, at }: { category: string; at: string }): number {
  const age = (Date.parse(at) - Date.parse(sale.soldAt)) / DAY;
  return age >= 0 && age <= reachDays(category) ? shareOf(sale) * 2 ** (-age / halfLifeDays(category)) : 0;
}

/** Every row is predicted by a model that did not see it; rows go round the folds in their order. */
function crossPredicted(
  table: Table,
  logs: Float64Array,
  all: readonly number[],
  weights: Float64Array,
): Float64Array {
  const unseen = new Float64Array(logs.length);
  for (let fold = 0; fold < FOLDS; fold++) {
    const held = (i: number): boolean => (Math.imul(i + 1, 0x9e3779b1) >>> 16) % FOLDS === fold;
    const predicted = fitted(
      table,
      logs,
      all.filter((i) => !held(i)),
      weights,
    );
    for (const i of all) if (held(i)) unseen[i] = predicted[i]!;
  }
  return unseen;
}

/** The numbers and groups of the subject, of every row. A number that a row does not tell is the middle one. */
function tableOf(things: readonly Told[], own: Told): Table {
  const numbers = [...own.numbers.keys()].sort().flatMap((name) => {
    const values = things.map((thing) => thing.numbers.get(name));
    const known = values.filter((v): v is number => v !== undefined);
    if (known.length < 0.5 * things.length) return [];
    const mean = known.reduce((a, b) => a + b, 0) / known.length;
    const column = values.map((v) => v ?? mean);
    const [least, most] = [Math.min(...known), Math.max(...known)];
    const line = standard(column);
    const wide = least >= 0 && most > 10 * Math.max(least, 1);
    return [
      line,
      standard(line.map((v) => v * v)),
      ...(wide ? [standard(column.map((v) => Math.log1p(v)))] : []),
    ];
  });
  const sorted = things.map(groupsOf);
  const named = [...groupsOf(own).keys()].sort();
  const kept = named.filter((name) => sorted.filter((g) => g.has(name)).length >= 0.5 * things.length);
  const levelled = kept.map((name) => {
    const levels = new Map<string, number>();
    const column = Int32Array.from(sorted, (groups) => {
      const level = groups.get(name) ?? '';
      if (!levels.has(level)) levels.set(level, levels.size);
      return levels.get(level)!;
    });
    return { column, count: levels.size };
  });
  return { numbers, groups: levelled.map((l) => l.column), levels: levelled.map((l) => l.count) };
}

function standard(column: ArrayLike<number>): Float64Array {
  const values = Float64Array.from(column);
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const spread = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length) || 1;
  return values.map((v) => (v - mean) / spread);
}

/** How far off the nearest things were predicted: nearest in price, in numbers, in state and in how many are alike. */
function doubtsOf(
  table: Table,
  things: readonly Told[],
  own: Told,
  unseen: Float64Array,
  errors: readonly number[],
  last: number,
): ReadonlyMap<number, number> {
  const columns: Float64Array[] = [standard(unseen), ...table.numbers];
  for (const name of ['title', 'condition'])
    if (own.texts.has(name))
      columns.push(Float64Array.from(things, (t) => (t.texts.get(name) === own.texts.get(name) ? 0 : 3)));
  for (const [g, level] of table.groups.entries()) {
    const count = new Float64Array(table.levels[g]!);
    for (const at of level) count[at] = count[at]! + 1;
    columns.push(Float64Array.from(level, (at) => 0.5 * Math.log(count[at]!)));
  }
  const off = errors.map(Math.abs);
  const step = Math.max(1, Math.ceil(last / MOST_CALIBRATED));
  const found = new Map<number, number>();
  for (let i = 0; i <= last; i += i + step > last && i < last ? last - i : step)
    found.set(i, doubtAt(i, columns, off, last));
  return found;
}

function doubtAt(
  row: number,
  columns: readonly Float64Array[],
  off: readonly number[],
  last: number,
): number {
  const [distance, error] = [
    new Float64Array(NEIGHBOURS).fill(Number.POSITIVE_INFINITY),
    new Float64Array(NEIGHBOURS),
  ];
  for (let other = 0; other < last; other++) {
    if (other === row) continue;
    const most = distance[NEIGHBOURS - 1]!;
    let far = 0;
    for (let c = 0; c < columns.length && far < most; c++)
      far += (columns[c]![row]! - columns[c]![other]!) ** 2;
    if (far >= most) continue;
    let at = NEIGHBOURS - 1;
    for (; at > 0 && distance[at - 1]! > far; at--) {
      distance[at] = distance[at - 1]!;
      error[at] = error[at - 1]!;
    }
    distance[at] = far;
    error[at] = off[other]!;
  }
  const near = error.slice(0, Math.min(NEIGHBOURS, last - 1)).sort();
  const mean = near.reduce((a, b) => a + b, 0) / Math.max(1, near.length);
  return 0.5 * (near[Math.floor(0.9 * (near.length - 1))] ?? 0) + mean + 0.02;
}

/** The least score below which so much of the weight lies; the bound of one sale more on either side (Vovk et al.). */
function quantile(scores: readonly Scored[], share: number): number {
  const total = scores.reduce((sum, s) => sum + s.weight, 0);
  let below = 0;
  for (const { score, weight } of scores) {
    below += weight;
    if (below >= share * total) return score;
  }
  return scores.at(-1)!.score;
}

function rankOf(scores: readonly Scored[], own: number): number {
  const total = scores.reduce((sum, s) => sum + s.weight, 0);
  return scores.reduce((sum, s) => sum + (s.score < own ? s.weight : 0), 0) / total;
}
