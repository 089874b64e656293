import { describe, expect, it } from 'vitest';
import { loyalShare } from './loyal-share.ts';

/** So many who bid everywhere, so many who stand out by such a logarithm. */
const seen = (ordinary: number, out: number, by: number): number[] => [
  ...Array<number>(ordinary).fill(-4),
  ...Array<number>(out).fill(by),
];

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
