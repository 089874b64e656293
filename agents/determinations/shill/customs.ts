import type { BidderWeight } from './bidder-weights.ts';
import { logSum } from './chances.ts';

/**
 * Whether a market has such a custom at all is taken to be as likely as not; and where it has, how many of those who come
 * back to a seller have it has a beta distribution, of one in ten on average.
 */
const KEEPING = { known: 0.5, others: 9 } as const;
/** So many shares, equally likely before anything was seen, stand for that distribution. */
const STEPS = 40;
/** Beyond this logarithm nobody doubts it, and no power of it is needed. */
const CERTAIN = 30;
/** Whoever is likelier to keep to a seller than not, by a factor of e, is taken for one who does. */
const DEVOTED = 1;
/** A customer who wins at most such a share of its lots wins nothing; of six who keep to a house one does, as of others. */
const NEVER = 0.1;
const IN_VAIN = { seen: 1, of: 6 } as const;
const SHARES = Array.from({ length: STEPS }, (_, k) => 1 - (1 - (k + 0.5) / STEPS) ** (1 / KEEPING.others));

/**
 * What share of those who come back to a seller have a custom, as the mean of what is likely after all of them were seen
 * (Bayes). A few who stand out by chance are no such custom, and a market of which little was seen may have it.
 * @param ratios of each bidder who came back to a seller, the logarithm of how much likelier its lots there and elsewhere
 * are if it has the custom
 * @param known how likely it was, before, that anybody has it
 * @returns also how likely that is now
 */
export function customShare(
  ratios: readonly number[],
  known: number = KEEPING.known,
): { readonly share: number; readonly known: number } {
  const likelier = ratios.map((ratio) => Math.expm1(Math.min(ratio, CERTAIN)));
  const logs = SHARES.map((share) => likelier.reduce((sum, more) => sum + Math.log1p(share * more), 0));
  const top = Math.max(0, ...logs);
  const chances = logs.map((log) => (known / STEPS) * Math.exp(log - top));
  const none = (1 - known) * Math.exp(-top);
  const all = chances.reduce((sum, chance) => sum + chance, none);
  const share = chances.reduce((sum, chance, k) => sum + chance * SHARES[k]!, 0) / all;
  return { share, known: 1 - none / all };
}

/**
 * What share of those who come back to a seller come now and then and hardly to anybody else, what share keep to it, and
 * what share of the latter win nothing. A market in which some come to one seller alone has houses, and so is likelier to
 * have customers who keep to them.
 */
export function customs(pairs: readonly BidderWeight[]): {
  readonly occasional: number;
  readonly loyal: number;
  readonly vain: number;
} {
  const rarely = customShare(pairs.map(({ occasional, ordinary }) => occasional - ordinary));
  const [none, some] = [Math.log1p(-rarely.share), Math.log(rarely.share)];
  const ratios = pairs.map((w) => w.loyal - logSum([none + w.ordinary, some + w.occasional]));
  const keeping = pairs.filter((_, i) => ratios[i]! > DEVOTED);
  const vain = keeping.filter(({ won, lots }) => won <= NEVER * lots).length;
  return {
    occasional: rarely.share,
    loyal: customShare(ratios, Math.max(KEEPING.known, rarely.known)).share,
    vain: (IN_VAIN.seen + vain) / (IN_VAIN.of + keeping.length),
  };
}
