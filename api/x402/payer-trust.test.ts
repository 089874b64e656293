import { describe, expect, it } from 'vitest';
import { payerTrust } from './payer-trust.ts';

const PAYER = '0x00000000000000000000000000000000000000aa';

describe('the reading ahead of a payment', () => {
  function watched() {
    let now = new Date('2026-01-01');
    let readings = 0;
    const trust = payerTrust();
    const reads = async (take: () => Promise<void>, payer = PAYER) => {
      const before = readings;
      const ahead = () => {
        readings += 1;
      };
      const taken = trust.reading({ payer, now: () => now, ahead }, take);
      const isAhead = readings > before;
      await taken.catch(() => {});
      return isAhead;
    };
    const pass = (ms: number) => {
      now = new Date(now.getTime() + ms);
    };
    return { trust, reads, pass };
  }
  const well = async () => {};
  const badly = async () => {
    throw new Error('the money is promised to another payment');
  };

  it('lasts until the payment is taken, and is one at a time for one payer', async () => {
    const { reads } = watched();
    let end = () => {};
    const first = reads(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    expect([await reads(well), await reads(well, '0xbb')]).toEqual([false, true]);
    end();
    expect([await first, await reads(well), await reads(well)]).toEqual([true, true, true]);
  });

  it('is lost for ten minutes once a payment is not taken that was read ahead for, whatever the reason', async () => {
    const { reads, pass } = watched();
    expect([await reads(badly), await reads(well), await reads(well, '0xbb')]).toEqual([true, false, true]);
    pass(599_999);
    expect(await reads(well)).toBe(false);
    pass(1);
    expect(await reads(well)).toBe(true);
  });

  it('is lost, too, once another payment is bad', async () => {
    const { trust, reads } = watched();
    trust.lose(PAYER, new Date('2026-01-01'));
    expect(await reads(well)).toBe(false);
  });
});
