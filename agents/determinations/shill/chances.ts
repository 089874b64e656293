/** The chance of at least `hits` in `tries` that all hit with the same chance (binomial). */
export function binomialTail(hits: number, tries: number, each: number): number {
  let sum = 0;
  for (let k = Math.max(0, hits); k <= tries; k++) {
    sum += Math.exp(logChoose(tries, k) + k * Math.log(each) + (tries - k) * Math.log(1 - each));
  }
  return Math.min(1, sum);
}

/**
 * The chance that `a` and `b` things, drawn independently from `all`, have at least `common` in common
 * (hypergeometric).
 */
export function commonTail(common: number, all: number, a: number, b: number): number {
  let sum = 0;
  for (let k = common; k <= Math.min(a, b); k++) {
    if (b - k > all - a) continue;
    sum += Math.exp(logChoose(a, k) + logChoose(all - a, b - k) - logChoose(all, b));
  }
  return sum;
}

/** The logarithm of the binomial coefficient n over k. */
export function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= Math.min(k, n - k); i++) sum += Math.log((n - i + 1) / i);
  return sum;
}

/** The logarithm of the chance of so many hits in so many tries, each with the same chance (binomial). */
export function logHits(hits: number, tries: number, each: number): number {
  return logChoose(tries, hits) + hits * Math.log(each) + (tries - hits) * Math.log(1 - each);
}

/** The logarithm of the beta function. */
export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** Stirling's series, once the argument is moved up to where it is exact enough. */
function logGamma(x: number): number {
  let moved = 0;
  let z = x;
  for (; z < 8; z++) moved += Math.log(z);
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + 1 / (12 * z) - 1 / (360 * z ** 3) - moved;
}

/** The logarithm of the sum of numbers given by their logarithms. */
export function logSum(logs: readonly number[]): number {
  const top = Math.max(...logs);
  return top + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - top), 0));
}

/** The same of their mean. */
export function logMean(logs: readonly number[]): number {
  return logSum(logs) - Math.log(logs.length);
}
