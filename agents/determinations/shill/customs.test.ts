import { describe, expect, it } from 'vitest';
import type { BidderWeight } from './bidder-weights.ts';
import { customShare, customs } from './customs.ts';

/** So many who bid everywhere, so many who stand out by such a logarithm. */
const seen = (ordinary: number, out: number, by: number): number[] => [
  ...Array<number>(ordinary).fill(-4),
  ...Array<number>(out).fill(by),
];

const loyalShare = (ratios: readonly number[]): number => customShare(ratios).share;

describe('how many customers keep to a house', () => {
  it('is about what was seen, where much was', () => {
    for (const [ordinary, out] of [
      [160, 40],
      [180, 20],
    ] as const) {
      const share = loyalShare(seen(ordinary, out, 12));
      expect(share).toBeGreaterThan((0.9 * out) / (ordinary + out));
      expect(share).toBeLessThan((1.1 * out) / (ordinary + out));
    }
  });

  it('is next to nobody where nobody was seen, and the less the more others were', () => {
    const shares = [0, 20, 60, 200].map((ordinary) => loyalShare(seen(ordinary, 0, 0)));
    expect(shares[0]).toBeCloseTo(0.05, 3);
    expect(shares).toEqual([...shares].sort((one, other) => other - one));
    expect(shares.at(-1)).toBeLessThan(0.0005);
  });

  it('takes a few who stand out by chance for none, and one who cannot be chance for one', () => {
    expect(loyalShare(seen(200, 3, 2))).toBeLessThan(0.001);
    expect(loyalShare(seen(200, 1, 12))).toBeGreaterThan(0.004);
    expect(loyalShare(seen(200, 1, 12))).toBeLessThan(0.02);
  });

  it('is a share however far somebody stands out, and in whatever order', () => {
    const far = loyalShare(seen(9, 3, 5_000));
    expect(far).toBeGreaterThan(0.1);
    expect(far).toBeLessThan(0.3);
    expect(loyalShare(seen(9, 3, -5_000))).toBeGreaterThan(0);
    const mixed = [3, -1, 7, -4, 0];
    expect(loyalShare([...mixed].reverse())).toBeCloseTo(loyalShare(mixed), 12);
  });
});

describe('the customs of a market', () => {
  /** So many who bid everywhere, so many who come now and then, and so many who keep to a seller, of whom some win. */
  const pairs = (ordinary: number, occasional: number, keeping: number, winning: number): BidderWeight[] => {
    const pair = { bidder: '', lots: 8, share: 1, won: 0, ordinary: 0, planted: 0, inVain: 0, served: 0 };
    return [
      ...Array.from({ length: ordinary }, () => ({ ...pair, occasional: -4, loyal: -9 })),
      ...Array.from({ length: occasional }, () => ({ ...pair, occasional: 6, loyal: 2 })),
      ...Array.from({ length: keeping }, (_, i) => ({
        ...{ ...pair, occasional: 6, loyal: 14 },
        won: i < winning ? 4 : 0,
      })),
    ];
  };

  it('are told apart: who comes now and then does not make a house', () => {
    const { occasional, loyal } = customs(pairs(150, 40, 0, 0));
    expect(occasional).toBeGreaterThan(0.15);
    expect(loyal).toBeLessThan(0.01);
    expect(customs(pairs(150, 0, 40, 20)).loyal).toBeGreaterThan(0.15);
  });

  it('make customers who keep to a house likelier where some come to one seller alone', () => {
    expect(customs(pairs(150, 20, 0, 0)).loyal).toBeGreaterThan(3 * customs(pairs(170, 0, 0, 0)).loyal);
  });

  it('have as many who win nothing as are seen to, and one in six where nobody is', () => {
    expect(customs(pairs(150, 0, 0, 0)).vain).toBeCloseTo(1 / 6, 6);
    expect(customs(pairs(150, 0, 60, 30)).vain).toBeCloseTo(31 / 66, 6);
    expect(customs(pairs(150, 0, 60, 60)).vain).toBeLessThan(0.02);
  });
});
