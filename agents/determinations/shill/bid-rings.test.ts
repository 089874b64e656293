import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BidHistory } from './bid-history.ts';
import { type BidRing, ringsByChance, ringsByPresence } from './bid-rings.ts';
import { binomialTail, commonTail } from './chances.ts';

type Where = Readonly<Record<string, readonly number[]>>;

/**
 * Ten lots of one seller. The named bidders bid on the given lots; `won` says which of them win, and somebody else wins
 * the rest.
 */
function history(bidders: Where, { of = 10, won = {}, elsewhere = 0 } = {}): BidHistory {
  const winner: Readonly<Record<number, string>> = won;
  const lots = Array.from({ length: of }, (_, i) => {
    const here = Object.keys(bidders).filter((name) => bidders[name]?.includes(i));
    return {
      lot: `lst_${i}`,
      minutes: 900,
      bids: [...here, `passer-${i}`].map((bidder, n) => ({ bidder, minute: n, amount: null })),
      winner: winner[i] ?? `passer-${i}`,
      priceToAsk: null,
    };
  });
  const lotsOf = Object.fromEntries(Object.entries(bidders).map(([b, own]) => [b, own.length + elsewhere]));
  return { days: 90, lots, lotsOf, market: 400, complete: true };
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const names = (rings: readonly BidRing[]) => rings.map((ring) => ring.members);
const SEVEN = { a: upTo(7), b: [0, 1, 2, 3, 4, 5, 8], c: [1, 2, 3, 4, 5, 6, 9] };

describe('a ring of bidders', () => {
  it('is three who bid on far more of the lots than returning bidders usually do, by both methods', () => {
    const found = ringsByPresence(history(SEVEN));
    expect(names(found)).toEqual([['a', 'b', 'c']]);
    expect(found[0]).toMatchObject({ of: 10, lots: 7, presence: 0.7, won: 0, usual: 0.25 });
    expect(found[0]?.chance).toBeCloseTo(binomialTail(21, 30, 0.25), 12);
    expect(names(ringsByChance(history(SEVEN)))).toEqual([['a', 'b', 'c']]);
  });

  it('is not three who want the same few things, however closely they meet there', () => {
    const few = history({ a: [3, 4, 5], b: [3, 4, 5], c: [3, 4, 5] });
    expect([...ringsByPresence(few), ...ringsByChance(few)]).toEqual([]);
  });

  it('is not three who are never on the same lots', () => {
    const apart = history({ a: [0, 1, 2, 3], b: [4, 5, 6, 7], c: [8, 9, 10, 11] }, { of: 12, elsewhere: 0 });
    expect([...ringsByPresence(apart), ...ringsByChance(apart)]).toEqual([]);
  });

  it('stays a ring when a member wins one lot, and is no ring when a member wins more', () => {
    expect(names(ringsByPresence(history(SEVEN, { won: { 0: 'a' } })))).toEqual([['a', 'b', 'c']]);
    expect(ringsByPresence(history(SEVEN, { won: { 0: 'a', 1: 'a' } }))).toEqual([]);
  });

  it('has no members who bid all over the market', () => {
    expect(names(ringsByPresence(history(SEVEN, { elsewhere: 7 })))).toEqual([['a', 'b', 'c']]);
    expect(ringsByPresence(history(SEVEN, { elsewhere: 8 }))).toEqual([]);
  });

  it('does not include a regular who bids on fewer than half of the lots', () => {
    const [five, four] = [upTo(5), upTo(4)];
    expect(names(ringsByPresence(history({ ...SEVEN, fan: four })))).toEqual([['a', 'b', 'c']]);
    expect(names(ringsByPresence(history({ ...SEVEN, fan: five })))).toEqual([['a', 'b', 'c', 'fan']]);
  });

  it('is not one bidder on every lot and two who came back a few times', () => {
    const around = (n: number) => ({ stayer: upTo(10), x: upTo(n), y: upTo(n) });
    expect(names(ringsByPresence(history(around(4))))).toEqual([['stayer', 'x', 'y']]);
    expect([...ringsByPresence(history(around(3))), ...ringsByChance(history(around(3)))]).toEqual([]);
  });

  it('needs four lots that were bid on', () => {
    const all = { a: upTo(4), b: upTo(4), c: upTo(4) };
    expect(names(ringsByPresence(history(all, { of: 4 })))).toEqual([['a', 'b', 'c']]);
    expect(ringsByPresence(history(all, { of: 3 }))).toEqual([]);
  });

  it('is likelier by chance when more others come back as often', () => {
    const alone = ringsByChance(history(SEVEN))[0]!;
    const fans = Object.fromEntries(['x', 'y'].map((fan) => [fan, [6, 7, 8, 9]]));
    const among = ringsByChance(history({ ...SEVEN, ...fans }))[0]!;
    expect(among.members).toEqual(alone.members);
    expect(among.usual).toBeGreaterThan(alone.usual);
    expect(among.chance).toBeGreaterThan(10 * alone.chance);
  });

  it('stays a ring when a member bids on one lot more and wins none', () => {
    const own = fc.uniqueArray(fc.nat(9), { minLength: 5, maxLength: 10 });
    let rings = 0;
    fc.assert(
      fc.property(fc.tuple(own, own, own), fc.nat(9), ([a, b, c], lot) => {
        const before = ringsByPresence(history({ a, b, c }));
        const after = ringsByPresence(history({ a: [...new Set([...a, lot])], b, c }));
        rings += before.length;
        return after.length >= before.length;
      }),
      { numRuns: 300, seed: 11 },
    );
    expect(rings).toBeGreaterThan(100);
  });
});

describe('chances', () => {
  it('agree with the published tables', () => {
    expect(binomialTail(8, 12, 0.25)).toBeCloseTo(0.00278, 5);
    expect(binomialTail(0, 12, 0.25)).toBe(1);
    expect(commonTail(1, 5, 2, 2)).toBeCloseTo(0.7, 12);
    expect(commonTail(0, 5, 2, 2)).toBeCloseTo(1, 12);
  });
});
