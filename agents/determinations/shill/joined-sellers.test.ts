import { describe, expect, it } from 'vitest';
import { evaluateLine } from '../../evaluation/evaluate-line.ts';
import { customersOf, joinedGroup, joinedSellers } from './joined-sellers.ts';
import { type MarketLot, populationOf } from './market-habits.ts';

const SELLERS = Array.from({ length: 10 }, (_, i) => `seller-${i}`);
const SPLIT = SELLERS.slice(0, 3);
const people = Array.from({ length: 20 }, (_, i) => `agent-${i}`);

/** Six lots of each of ten sellers, on each of which one in five bids; `planted` bid on each second lot of the first three. */
function market(planted: readonly string[], winner: (n: number) => string | null = () => null): MarketLot[] {
  return SELLERS.flatMap((seller, s) =>
    Array.from({ length: 6 }, (_, n): MarketLot => {
      const usual = people.filter((_, i) => (i + n + s) % 5 === 0);
      const more = SPLIT.includes(seller) ? planted.filter((_, i) => (i + n) % 3 !== 0) : [];
      const won = SPLIT.includes(seller) ? winner(n) : null;
      return {
        lot: `${seller}/${n}`,
        seller,
        bidders: [...usual, ...more],
        winner: won ?? usual[n % usual.length]!,
      };
    }),
  );
}
function historyOf(lots: readonly MarketLot[], seller: string) {
  const own = lots.filter((l) => l.seller === seller);
  return {
    ...{ days: 60, complete: true, ...populationOf(lots, seller), joined: joinedSellers(lots, seller) },
    lots: own.map(({ lot, bidders, winner }) => ({
      ...{ lot, minutes: 60, winner, priceToAsk: null },
      bids: bidders.map((bidder) => ({ bidder, minute: 0, amount: null })),
    })),
  };
}
const RING = ['ann', 'ben', 'cas'];

describe('several sellers with the same bidders', () => {
  it('are seen as one at each of them, and at nobody else', () => {
    const lots = market(RING);
    for (const seller of SPLIT) {
      const found = joinedGroup(historyOf(lots, seller));
      expect(found?.sellers).toBe(3);
      expect([...(found?.members ?? [])].sort()).toEqual(RING);
      expect(found?.weight).toBeGreaterThan(2.5);
    }
    expect(historyOf(lots, 'seller-5').joined).toBeNull();
  });

  it('are nothing where one bidder alone keeps to them', () => {
    expect(joinedGroup(historyOf(market(['ann']), 'seller-0'))).toBeNull();
  });

  it('have customers where those who keep to them win between them, and then nobody is named', () => {
    const fans = ['ann', 'ben', 'cas', 'dot'];
    const history = historyOf(
      market(fans, (n) => (n % 3 === 1 ? 'ann' : null)),
      'seller-0',
    );
    const customers = customersOf(history);
    expect([...customers].sort()).toEqual(fans);
    expect(joinedGroup(history, customers)).toBeNull();
    expect(customersOf(historyOf(market(RING), 'seller-0')).size).toBe(0);
  });

  it('are told by the verdict, and evidence from before they were looked for is judged as before', () => {
    const lots = market(RING);
    const plain = (l: MarketLot) => ({
      ...{ lot: l.lot, category: 'digital-products', endedAt: '2026-11-02T00:00:00Z', winner: l.winner },
      bids: l.bidders.map((bidder) => ({ bidder, at: '2026-11-01T00:00:00Z' })),
    });
    const line = {
      ...{ id: 1, seller: 'seller-0', lots: lots.filter((l) => l.seller === 'seller-0').map(plain) },
      market: lots.filter((l) => l.seller !== 'seller-0').map((l) => ({ ...plain(l), seller: l.seller })),
    };
    const judged = evaluateLine('shill-collusion', JSON.stringify(line), 1, '2-of-2');
    if ('error' in judged) throw new Error(judged.error.message);
    const told = judged.checks.find((c) => c.id === 'bids-against-market');
    expect(told).toMatchObject({ outcome: 'FLAG', detail: expect.stringContaining('2 other sellers') });
    const { joined: _, ...before } = historyOf(lots, 'seller-0');
    expect(joinedGroup(before)).toBeNull();
  });
});
