/** An example: the visible numbers, and the fact to be guessed from them. */
export interface Example {
  readonly seen: readonly number[];
  readonly is: boolean;
}

const FOLDS = 5;
const STEPS = 400;
const RATE = 0.3;

/** The share of right guesses about examples that were not used for learning, by the best of three learners. */
export function rightness(examples: readonly Example[]): number {
  return Math.max(...[logistic, stump, distance].map((learn) => crossValidated(examples, learn)));
}

type Learn = (from: readonly Example[]) => (seen: readonly number[]) => boolean;

function crossValidated(examples: readonly Example[], learn: Learn): number {
  let right = 0;
  for (let fold = 0; fold < FOLDS; fold++) {
    const guess = learn(examples.filter((_, i) => i % FOLDS !== fold));
    right += examples.filter((e, i) => i % FOLDS === fold && guess(e.seen) === e.is).length;
  }
  return right / examples.length;
}

/** Logistic regression over the visible numbers, their squares and their products, all normalised. */
function logistic(from: readonly Example[]): (seen: readonly number[]) => boolean {
  const rows = from.map((e) => widened(e.seen));
  const width = rows[0]!.length;
  const mean = Array.from({ length: width }, (_, k) => rows.reduce((sum, r) => sum + r[k]!, 0) / rows.length);
  const spread = mean.map(
    (m, k) => Math.sqrt(rows.reduce((sum, r) => sum + (r[k]! - m) ** 2, 0) / rows.length) || 1,
  );
  const scaled = (row: readonly number[]) => row.map((x, k) => (x - mean[k]!) / spread[k]!);
  const xs = rows.map(scaled);
  const weights = new Array<number>(width).fill(0);
  let bias = 0;
  const says = (x: readonly number[]) =>
    1 / (1 + Math.exp(-x.reduce((sum, v, k) => sum + v * weights[k]!, bias)));
  for (let step = 0; step < STEPS; step++) {
    const off = xs.map((x, i) => says(x) - (from[i]!.is ? 1 : 0));
    for (let k = 0; k < width; k++) {
      const slope = xs.reduce((sum, x, i) => sum + off[i]! * x[k]!, 0) / xs.length;
      weights[k]! -= RATE * (slope + 0.01 * weights[k]!);
    }
    bias -= (RATE * off.reduce((a, b) => a + b, 0)) / xs.length;
  }
  return (seen) => says(scaled(widened(seen))) > 0.5;
}

function widened(seen: readonly number[]): number[] {
  return seen.flatMap((x, i) => [x, ...seen.slice(i).map((y) => x * y)]);
}

/** The single threshold in a single number that separates the examples best. */
function stump(from: readonly Example[]): (seen: readonly number[]) => boolean {
  let best = { right: -1, k: 0, at: 0, above: true };
  for (let k = 0; k < from[0]!.seen.length; k++) {
    for (const at of new Set(from.map((e) => e.seen[k]!))) {
      for (const above of [true, false]) {
        const right = from.filter((e) => e.seen[k]! >= at === (e.is === above)).length;
        if (right > best.right) best = { right, k, at, above };
      }
    }
  }
  return (seen) => seen[best.k]! >= best.at === best.above;
}

/**
 * The same over the distances between any two numbers, because a number that repeats another in disguise is close to
 * it.
 */
function distance(from: readonly Example[]): (seen: readonly number[]) => boolean {
  const distances = (seen: readonly number[]): number[] =>
    seen.flatMap((x, i) => seen.slice(i + 1).map((y) => Math.abs(x - y)));
  const guess = stump(from.map(({ is, seen }) => ({ is, seen: distances(seen) })));
  return (seen) => guess(distances(seen));
}
