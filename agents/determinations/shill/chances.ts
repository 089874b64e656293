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
