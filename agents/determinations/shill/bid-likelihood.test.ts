import { describe, expect, it } from 'vitest';
import type { BidHistory, BidLot, MarketHabits } from './bid-history.ts';
import { groupVerdict, likeliestGroup, strangersIn } from './bid-likelihood.ts';
import { type BidderWeight, weighBidders } from './bidder-weights.ts';
import { habitsOf, populationOf } from './market-habits.ts';

const lot = (name: string, bidders: readonly string[], winner: string | null): BidLot => ({
  ...{ lot: name, minutes: 60, winner, priceToAsk: null },
  bids: bidders.map((bidder, i) => ({ bidder, minute: i, amount: null })),
});
const FEW: MarketHabits = { bidders: 40, once: 0, returning: 40, attached: 0, losing: 0, weights: [] };
const verdict = (of: BidHistory) => {
  const group = likeliestGroup(of);
  return group === null ? null : groupVerdict(of, group);
};
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
      expect(groupVerdict(history(own), found!)).toBe('finding');
    }
  });

  it('names nobody among those who bid everywhere', () => {
    expect(verdict(history([]))).toBeNull();
  });

  it('names nobody where such a habit is common, or where too few are known', () => {
    const common = { ...FEW, attached: 12, losing: 8 };
    expect(verdict(history(['ann', 'ben', 'cas'], common))).not.toBe('finding');
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
    expect(habitsOf({ sellers, market: 5, own: { lots: [], lotsOf: {} } })).toMatchObject({
      ...{ bidders: 3, once: 1, returning: 2, attached: 1, losing: 1 },
    });
  });

  it('leaves one bidder open who bids elsewhere too, as honest dealers do, and names a ring that does', () => {
    const bidsElsewhere = (own: readonly string[], lots: number): BidHistory => {
      const base = history(own);
      return { ...base, lotsOf: { ...base.lotsOf, ...Object.fromEntries(own.map((name) => [name, lots])) } };
    };
    expect(verdict(bidsElsewhere(['ann'], 14))).toBe('doubt');
    expect(verdict(bidsElsewhere(['ann'], 11))).toBe('finding');
    expect(verdict(bidsElsewhere(['ann', 'ben', 'cas'], 14))).toBe('finding');
  });

  it('names nobody who wins what it bids on', () => {
    const base = history(['ann']);
    const won = { ...base, lots: base.lots.map((l) => ({ ...l, winner: 'ann' })) };
    expect(verdict(won)).toBeNull();
  });

  it('names nobody where bidders of other sellers stand out as far', () => {
    const far = { ...FEW, weights: Array.from({ length: 12 }, () => 90) };
    expect(verdict(history(['ann'], far))).not.toBe('finding');
  });

  it('takes those who stand out half as far by chance for no kind, where nearly all bidders are known', () => {
    // She bids on three of ten lots, and stands out by a logarithm of about nine.
    const on = (habits: MarketHabits): BidHistory => {
      const base = history([], habits);
      const ann = { bidder: 'ann', minute: 9, amount: null };
      const lots = base.lots.map((l, n) => (n < 3 ? { ...l, bids: [...l.bids, ann] } : l));
      return { ...base, lots, lotsOf: { ...base.lotsOf, ann: 3 }, joined: null, bidding: 3 };
    };
    const [{ planted, ordinary }] = weighBidders(on(FEW), 'by-taste').filter((b) => b.bidder === 'ann') as [
      BidderWeight,
    ];
    const half = (planted - ordinary) / 2;
    // Of 400 who bid as everybody does, so many stand out half as far.
    const chance = Math.round(400 * Math.exp(-half));
    const habits = (many: number): MarketHabits => ({
      ...{ ...FEW, pairs: 400, loyal: 0 },
      weights: Array.from({ length: many }, () => half + 0.1),
    });
    expect(chance).toBeGreaterThanOrEqual(2);
    expect(verdict(on(habits(chance)))).toBe('finding');
    const weight = (of: BidHistory) => likeliestGroup(of)!.weight;
    expect(weight({ ...on(habits(chance)), bidding: 2 })).toBeLessThan(weight(on(habits(chance))) - 1);
    expect(verdict(on(habits(chance + 30)))).not.toBe('finding');
  });

  it('names nobody where as many customers keep to other houses, but by the rules of before', () => {
    const of = (own: readonly string[], loyal: number): BidHistory => ({
      ...history(own, { ...FEW, pairs: 200, loyal }),
      ...{ joined: null, bidding: 3 },
    });
    for (const own of [['ann'], ['ann', 'ben']]) {
      expect(verdict(of(own, 0.0002))).toBe('finding');
      expect(verdict(of(own, 0.1))).toBeNull();
      expect(verdict({ ...of(own, 0.1), bidding: 2 })).toBe('finding');
    }
  });

  it('asks more of several at one seller than the rules of before did', () => {
    const of = (loyal: number): BidHistory => ({
      ...history(['ann', 'ben'], { ...FEW, pairs: 200, loyal }),
      ...{ joined: null, bidding: 3 },
    });
    const weights = [0.002, 0.01, 0.015, 0.02, 0.03].map((loyal) => {
      const group = likeliestGroup(of(loyal))!;
      return { group: group.members.length, weight: group.weight, told: verdict(of(loyal)) };
    });
    expect(weights.filter((w) => w.group === 2 && w.weight > 2.5 && w.weight <= 4.5)).not.toEqual([]);
    for (const { group, weight, told } of weights)
      if (group === 2) expect([weight, told]).toEqual([weight, weight > 4.5 ? 'finding' : 'doubt']);
  });

  it('judges evidence of before by the rules of before', () => {
    const { weights: _, ...before } = FEW;
    const base = history(['ann'], before);
    expect(verdict({ ...base, lotsOf: { ...base.lotsOf, ann: 14 } })).toBe('finding');
  });

  it('counts as usual neither the seller nor those who are in question', () => {
    const own = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const at = (seller: string, bidders: readonly string[]) =>
      own.map((name) => ({ lot: `${seller}-${name}`, seller, bidders, winner: null }));
    const others = Array.from({ length: 6 }, (_, i) => at(`other-${i}`, [`one-${i}`, `two-${i}`])).flat();
    const asked = at('sam', ['ann', 'ben']);
    const { habits } = populationOf([...others, ...asked], 'sam');
    expect(habits.weights.length).toBe(12);
    const with_ = [...others, ...at('other-6', ['sam', 'ann']), ...asked];
    expect(populationOf(with_, 'sam').habits.weights.length).toBe(12);
    expect(populationOf(with_, 'other-0').habits.weights.length).toBe(14);
  });

  it('counts as usual who bids at the seller too, unless it stands out there', () => {
    const at = (seller: string, bidders: readonly string[]) =>
      Array.from({ length: 8 }, (_, n) => ({ lot: `${seller}-${n}`, seller, bidders, winner: null }));
    const everywhere = ['ann', 'ben', 'cas'];
    const others = Array.from({ length: 5 }, (_, i) => at(`other-${i}`, everywhere)).flat();
    const { pairs } = populationOf([...others, ...at('sam', [...everywhere, 'dan'])], 'sam').habits;
    expect(pairs).toBe(15);
    const cover = others.map((l, n) => (n < 2 ? { ...l, bidders: [...l.bidders, 'dan'] } : l));
    expect(populationOf([...cover, ...at('sam', [...everywhere, 'dan'])], 'sam').habits.pairs).toBe(15);
    expect(populationOf([...cover, ...at('sam', everywhere)], 'sam').habits.pairs).toBe(16);
  });

  it('counts who keeps to another seller, whether it wins there or not', () => {
    const shop = (seller: string, own: readonly string[], winner: string) =>
      Array.from({ length: 8 }, (_, n) => ({
        ...{ lot: `${seller}-${n}`, seller, winner },
        bidders: [...own, ...['ann', 'ben', 'cas', 'dan'].filter((_, i) => (n + i) % 4 === 0)],
      }));
    const loyal = (own: (i: number) => readonly string[], wins: boolean) => {
      const others = Array.from({ length: 5 }, (_, i) =>
        shop(`other-${i}`, own(i), wins ? `fan-${i}` : 'ann'),
      );
      return populationOf([...others.flat(), ...shop('sam', ['eve'], 'ann')], 'sam').habits.loyal;
    };
    for (const wins of [true, false]) expect(loyal((i) => [`fan-${i}`], wins)).toBeGreaterThan(0.1);
    expect(loyal(() => [], false)).toBeLessThan(0.02);
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
