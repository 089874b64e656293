import { describe, expect, it } from 'vitest';
import type { BidHistory, BidLot } from './bid-history.ts';
import { type MarketLot, populationOf } from './market-habits.ts';
import { ringsAtChance, ringsAtPresence } from './ring-findings.ts';

const PEOPLE = Array.from({ length: 12 }, (_, i) => `agent-${i}`);

/**
 * Ten lots of each of eight sellers on which one in four bids, and the regulars of each on nearly all of its own; at others
 * than the first they win one in so many of its lots.
 */
function historyOf(regulars: (seller: number) => readonly string[], winOneIn = Infinity): BidHistory {
  const market = Array.from({ length: 8 }, (_, s) =>
    Array.from({ length: 10 }, (_, n): MarketLot => {
      const usual = PEOPLE.filter((_, i) => (i + n + s) % 4 === 0);
      const own = regulars(s).filter((_, i) => (i + n) % 5 !== 0);
      const winner = s > 0 && n % winOneIn === 0 ? own[0]! : usual[0]!;
      return { lot: `${s}/${n}`, seller: `seller-${s}`, bidders: [...usual, ...own], winner };
    }),
  ).flat();
  const own = market.filter(({ seller }) => seller === 'seller-0');
  const lots = own.map(
    ({ lot, bidders, winner }): BidLot => ({
      ...{ lot, minutes: 60, winner, priceToAsk: null },
      bids: bidders.map((bidder, minute) => ({ bidder, minute, amount: null })),
    }),
  );
  return { bidding: 4, days: 60, complete: true, ...populationOf(market, 'seller-0'), joined: null, lots };
}

const three = (s: number): string[] => ['x', 'y', 'z'].map((name) => `${name}-${s}`);
const told = (history: BidHistory) =>
  [ringsAtPresence, ringsAtChance].map((rings) => {
    const { flagged, unjudged } = rings(history);
    return [flagged.length, unjudged.length];
  });

describe('three bidders who keep together', () => {
  it('are a ring where nobody else in the market keeps to a seller', () => {
    const history = historyOf((s) => (s === 0 ? three(s) : []));
    expect(told(history)).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(ringsAtPresence(history).flagged[0]?.members).toEqual(three(0));
  });

  it('are a ring where three keep to each seller and win nothing there: they may be rings, too', () => {
    expect(told(historyOf(three))).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it('are customers of a house where each seller has such who win, and were a ring by the rules of before', () => {
    const history = historyOf(three, 3);
    expect(told(history)).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(ringsAtPresence(history).unjudged[0]).toMatch(/customers of a house$/);
    const { bidding: _, ...first } = history;
    for (const before of [first, { ...first, bidding: 2 as const }])
      expect(told(before)).toEqual([
        [1, 0],
        [1, 0],
      ]);
  });

  it('are a ring where the habits of the market are not known', () => {
    const history = historyOf(three);
    const few = { ...history, habits: { ...history.habits!, returning: 7 } };
    expect(told(few)).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });
});
