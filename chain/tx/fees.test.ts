import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feesAt, raisedFees } from './fees.ts';

const wei = fc.bigInt({ min: 1n, max: 10n ** 15n });
const fees = fc.tuple(wei, wei).map(([tip, rest]) => ({
  maxFeePerGas: tip + rest,
  maxPriorityFeePerGas: tip,
}));

describe('the fees of a replacement', () => {
  it('are both at least 12.5 percent higher, cover the base fee, and stay within the cap', () => {
    fc.assert(
      fc.property(fees, wei, wei, (before, baseFee, cap) => {
        const after = raisedFees(before, baseFee, cap);
        if (after === null) return;
        expect(after.maxFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxFeePerGas * 9n);
        expect(after.maxPriorityFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxPriorityFeePerGas * 9n);
        expect(after.maxFeePerGas).toBeGreaterThanOrEqual(baseFee + after.maxPriorityFeePerGas);
        expect(after.maxFeePerGas).toBeLessThanOrEqual(cap);
      }),
    );
  });

  it('are refused only when the cap does not allow them', () => {
    fc.assert(
      fc.property(fees, wei, (before, baseFee) => {
        const enough =
          (before.maxFeePerGas * 9n) / 8n + 1n + baseFee + (before.maxPriorityFeePerGas * 9n) / 8n + 1n;
        expect(raisedFees(before, baseFee, enough)).not.toBeNull();
        expect(raisedFees(before, baseFee, before.maxFeePerGas)).toBeNull();
      }),
    );
  });

  it('rise even from one wei', () => {
    const one = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
    expect(raisedFees(one, 0n, 100n)).toEqual({ maxFeePerGas: 2n, maxPriorityFeePerGas: 2n });
  });
});

describe('the fees of a first version', () => {
  it('are the usual ones until twice the base fee is more', () => {
    const usual = { maxFeePerGas: 100n, maxPriorityFeePerGas: 2n };
    expect(feesAt(49n, usual)).toEqual(usual);
    expect(feesAt(50n, usual)).toEqual({ maxFeePerGas: 102n, maxPriorityFeePerGas: 2n });
  });
});
