/**
 * Whether customers of a market keep to a house at all is taken to be as likely as not; and where they do, how many of those
 * who come back to a seller are such customers has a beta distribution, of one in ten on average.
 */
const KEEPING = { known: 0.5, others: 9 } as const;
/** So many shares, equally likely before anything was seen, stand for that distribution. */
const STEPS = 40;
/** Beyond this logarithm nobody doubts it, and no power of it is needed. */
const CERTAIN = 30;
const SHARES = Array.from({ length: STEPS }, (_, k) => 1 - (1 - (k + 0.5) / STEPS) ** (1 / KEEPING.others));

/**
 * What share of those who come back to a seller are customers who keep to it, as the mean of what is likely after all of
 * them were seen (Bayes). A few who stand out by chance are no such custom, and a market of which little was seen may
 * have it.
 * @param ratios of each bidder who came back to a seller, the logarithm of how much likelier its lots there and elsewhere
 * are if it keeps to that seller
 */
export function loyalShare(ratios: readonly number[]): number {
  const likelier = ratios.map((ratio) => Math.expm1(Math.min(ratio, CERTAIN)));
  const logs = SHARES.map((share) => likelier.reduce((sum, more) => sum + Math.log1p(share * more), 0));
  const top = Math.max(0, ...logs);
  const chances = logs.map((log) => (KEEPING.known / STEPS) * Math.exp(log - top));
  const none = (1 - KEEPING.known) * Math.exp(-top);
  const all = chances.reduce((sum, chance) => sum + chance, none);
  return chances.reduce((sum, chance, k) => sum + chance * SHARES[k]!, 0) / all;
}
