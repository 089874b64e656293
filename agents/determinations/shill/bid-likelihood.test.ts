import { describe, expect, it } from 'vitest';
import type { BidHistory, BidLot, MarketHabits } from './bid-history.ts';
import { habitsOf, LIKELY, likeliestGroup, strangersIn } from './bid-likelihood.ts';

const lot = (name: string, bidders: readonly string[], winner: string | null): BidLot => ({
  ...{ lot: name, minutes: 60, winner, priceToAsk: null },
  bids: bidders.map((bidder, i) => ({ bidder, minute: i, amount: null })),
});
const FEW: MarketHabits = { bidders: 40, once: 0, returning: 40, attached: 0, losing: 0 };
/** Ten lots of a market of a hundred; `own` bid on each, and each of twenty others on two of ten of all lots. */
const history = (own: readonly string[], habits: MarketHabits | undefined = FEW): BidHistory => {
  const others = Array.from({ length: 20 }, (_, i) => `other-${i}`);
  const lots = Array.from({ length: 10 }, (_, n) => {
    const here = others.filter((_, i) => (i + n) % 5 === 0);
    return lot(`lot-${n}`, [...own, ...here], here[n % here.length]!);
  });
  const lotsOf = Object.fromEntries([
    ...own.map((name) => [name, 10]),
    ...others.map((name) => [name, 20]),
  ]) as Record<string, number>;
  return { days: 60, lots, lotsOf, market: 100, ...(habits && { habits }), complete: true };
};

describe('the likelihood of bids', () => {
  it('names those who bid here alone and win nothing, one or several of them', () => {
    for (const own of [['ann'], ['ann', 'ben', 'cas']]) {
      const found = likeliestGroup(history(own));
      expect(found?.members).toEqual(own);
      expect(found!.weight).toBeGreaterThan(LIKELY);
    }
  });

  it('names nobody among those who bid everywhere', () => {
    expect(likeliestGroup(history([]))?.weight ?? 0).toBeLessThan(LIKELY);
  });

  it('names nobody where such a habit is common, or where too few are known', () => {
    const common = { ...FEW, attached: 12, losing: 8 };
    expect(likeliestGroup(history(['ann', 'ben', 'cas'], common))?.weight ?? 0).toBeLessThan(LIKELY);
    expect(likeliestGroup(history(['ann', 'ben', 'cas'], { ...FEW, returning: 7 }))).toBeNull();
    expect(likeliestGroup({ ...history(['ann', 'ben', 'cas']), habits: undefined } as never)).toBeNull();
  });

  it('counts the habits at other sellers', () => {
    const sellers = [
      {
        lots: [lot('a', ['ann', 'ben'], 'ben'), lot('b', ['ann', 'ben'], 'ben'), lot('c', ['cas'], null)],
        lotsOf: { ann: 2, ben: 5, cas: 1 },
      },
    ];
    expect(habitsOf(sellers)).toEqual({ bidders: 3, once: 1, returning: 2, attached: 1, losing: 1 });
  });

  it('tells of strangers who come once, unless many in this market do', () => {
    const once = Array.from({ length: 10 }, (_, n) => `new-${n}`);
    const with_ = (habits: MarketHabits): BidHistory => {
      const base = history([], habits);
      const lots = base.lots.map((l, n) => ({
        ...l,
        bids: [...l.bids, { bidder: once[n]!, minute: 9, amount: null }],
      }));
      return {
        ...base,
        lots,
        lotsOf: { ...base.lotsOf, ...Object.fromEntries(once.map((name) => [name, 1])) },
      };
    };
    expect(strangersIn(with_(FEW))).toMatchObject({ strangers: 10 });
    expect(strangersIn(with_({ ...FEW, once: 15 }))).toBeNull();
  });
});
