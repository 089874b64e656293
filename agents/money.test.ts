import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from './errors.ts';
import { formatUsd, MAX_MICRO, midpoint, parseUsd, share, toUsd } from './money.ts';

const micro = fc.bigInt({ min: 0n, max: MAX_MICRO });

describe('money', () => {
  it('reads numbers and decimal strings alike', () => {
    expect(parseUsd(12.5, 'x')).toBe(12_500_000n);
    expect(parseUsd('12.50', 'x')).toBe(12_500_000n);
    expect(parseUsd(0.000001, 'x')).toBe(1n);
    expect(parseUsd(1e12, 'x')).toBe(MAX_MICRO);
  });

  it.each([
    -1,
    -0.01,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e-7,
    1.0000001,
    1e13,
    1e21,
    '1e3',
    '',
    ' 1',
    '01',
    '1.',
    '.5',
    '1,000',
    '0x1',
    '1.0000000',
  ])('refuses %s by the name of its field', (value) => {
    expect(() => parseUsd(value, 'askUsd')).toThrow(AppError);
    try {
      parseUsd(value, 'askUsd');
    } catch (error) {
      expect((error as AppError).code).toBe('bad-request');
      expect((error as AppError).errors[0]?.path).toBe('askUsd');
    }
  });

  it('refuses a third decimal where prices carry two', () => {
    expect(() => parseUsd('1.001', 'limitUsd', 2)).toThrow(/2 decimals/);
    expect(parseUsd('1.01', 'limitUsd', 2)).toBe(1_010_000n);
  });

  it('writes what it reads, for every amount', () => {
    fc.assert(fc.property(micro, (m) => parseUsd(formatUsd(m), 'x') === m));
  });

  it('carries every amount of at most 15 digits through a JSON number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (m) => parseUsd(toUsd(m), 'x') === m),
    );
  });

  it('is for a JSON number the nearest to its decimal text, whatever its size', () => {
    const any = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
    fc.assert(fc.property(any, (m) => toUsd(m) === Number(formatUsd(m))));
    fc.assert(fc.property(fc.maxSafeInteger(), (n) => toUsd(BigInt(n)) === Number(formatUsd(BigInt(n)))));
  });

  it('never takes a fee above its share, nor a micro-dollar below', () => {
    fc.assert(
      fc.property(micro, fc.bigInt({ min: 0n, max: 10_000n }), (m, bp) => {
        const fee = share(m, bp);
        return fee * 10_000n <= m * bp && (fee + 1n) * 10_000n > m * bp;
      }),
    );
  });

  it('puts the midpoint on a cent between both prices, half to even', () => {
    const cents = fc.bigInt({ min: 1n, max: 10n ** 14n }).map((c) => c * 10_000n);
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const m = midpoint(a, b);
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(m % 10_000n).toBe(0n);
        expect(m >= low && m <= high).toBe(true);
        expect(midpoint(b, a)).toBe(m);
        if ((a + b) % 20_000n === 10_000n) expect((m / 10_000n) % 2n).toBe(0n);
      }),
    );
  });
});
