import { describe, expect, it } from 'vitest';
import type { BidHistory, BidLot, MarketHabits } from './bid-history.ts';
import { groupVerdict, likeliestGroup } from './bid-likelihood.ts';
import { featuresOf, patternWeights } from './bid-patterns.ts';
import { scoreBid } from './shill-model.ts';

const DAY = 1_440;

/** A lot of a week on which these bid, one after the other, a few hours apart. */
const lot = (name: string, bidders: readonly string[], winner: string | null): BidLot => ({
  ...{ lot: name, minutes: 7 * DAY, winner, priceToAsk: null },
  bids: bidders.map((bidder, i) => ({ bidder, minute: 300 * i, amount: null })),
});
const others = (n: number) => [`one-${n % 5}`, `two-${n % 4}`, `three-${n % 3}`];
/** Ten lots on which `ann` outbids herself again and again, or each bids once. */
const lots = (again: boolean, everybody = false): BidLot[] =>
  Array.from({ length: 10 }, (_, n) => {
    const crowd = others(n).flatMap((name) => (everybody ? [name, name, name] : [name]));
    return lot(`lot-${n}`, [...crowd, ...Array<string>(again ? 3 : 1).fill('ann')], crowd[0]!);
  });
const weightOf = (of: BidLot[]) => patternWeights({ lots: of, lotsOf: {} })('ann');

describe('the manner in which somebody bids', () => {
  it('is told by what the labelled data is told by', () => {
    const on = [lot('a', ['ann', 'ben', 'ben', 'ann', 'ann', 'ann'], 'ben'), lot('b', ['ann'], 'ann')];
    const features = featuresOf('ann', on[0]!, { on, lotsOf: { ann: 4 } });
    expect(features).toMatchObject({
      ...{ Bidder_Tendency: 0.5, Bidding_Ratio: 4 / 6, Successive_Outbidding: 1, Winning_Ratio: 0.5 },
      ...{ Early_Bidding: 0, Last_Bidding: 1_500 / (7 * DAY), Auction_Duration: 7 },
    });
    expect(scoreBid(features)).toMatchObject({ shill: true, rule: { name: 'always-outbids-itself' } });
    expect(featuresOf('ben', on[0]!, { on, lotsOf: {} }).Successive_Outbidding).toBe(0.5);
  });

  it('speaks against whoever alone bids so, within bounds, and against nobody where all do', () => {
    expect(weightOf(lots(true))).toBe(1.5);
    expect(weightOf(lots(false))).toBe(0);
    expect(weightOf(lots(true, true))).toBe(0);
  });

  it('makes a finding of a doubt, none of an ordinary bidder, and nothing of evidence from before', () => {
    const habits: MarketHabits = {
      bidders: 40,
      once: 0,
      returning: 40,
      attached: 0,
      losing: 0,
      weights: [],
      pairs: 80,
    };
    const history = (more: Partial<BidHistory>, everywhere: number): BidHistory => ({
      ...{ days: 60, lots: lots(true), market: 100, habits, joined: null, complete: true, bidding: 2 },
      lotsOf: {
        ...Object.fromEntries(lots(false).flatMap((l) => l.bids.map((b) => [b.bidder, 20]))),
        ann: everywhere,
      },
      ...more,
    });
    const verdict = (of: BidHistory) => {
      const group = likeliestGroup(of);
      return group === null ? null : groupVerdict(of, group);
    };
    // Somebody at another seller stands out as far.
    const common: MarketHabits = { ...habits, attached: 3, losing: 3, weights: [30, 30, 30] };
    expect(verdict(history({ habits: common, lots: lots(false) }, 11))).toBe('doubt');
    expect(verdict(history({ habits: common }, 11))).toBe('finding');
    expect(verdict(history({}, 90))).toBeNull();
    const { bidding: _, ...before } = history({ habits: common }, 11);
    expect(verdict(before)).not.toBe('finding');
  });
});
