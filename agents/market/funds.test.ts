import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeFunds, shortOf, spendableOf } from './funds.ts';
import { moneyOf } from './pricing/fees.ts';

const LOT = 'eip155:1002/erc721:0xabc/1';
const NAME = 'serial:name:alice.x';
const USD = 1_000_000n;
const micro = fc.bigInt({ min: 0n, max: 10n ** 15n });
const lots = fc.constantFrom(LOT, NAME);

describe('the money for an order', () => {
  it('is its limit, and of a name the buyer’s fee as well', () => {
    const funds = { balance: 100n * USD, inFlight: 0n };
    expect(shortOf({ lot: LOT, limit: 100n * USD }, funds)).toBeNull();
    expect(shortOf({ lot: NAME, limit: 100n * USD }, funds)).toEqual({
      need: 102_500_000n,
      have: 100n * USD,
    });
    expect(shortOf({ lot: LOT, limit: 150n * USD }, { balance: 0n, inFlight: 0n })).toEqual({
      need: 150n * USD,
      have: 0n,
    });
  });

  it('is there exactly where the balance covers it together with what is in flight', () => {
    fc.assert(
      fc.property(lots, micro, micro, micro, (lot, limit, balance, inFlight) => {
        const { buyerPays } = moneyOf(lot, limit);
        const short = shortOf({ lot, limit }, { balance, inFlight });
        // An order of nothing is none.
        if (buyerPays > 0n) expect(short === null).toBe(balance >= inFlight + buyerPays);
        if (short === null) return;
        expect(short.need).toBe(buyerPays);
        expect(short.have).toBeGreaterThanOrEqual(0n);
        expect(short.have).toBeLessThan(short.need);
      }),
    );
  });

  it('is there for orders one after another only as far as the account reaches', () => {
    fc.assert(
      fc.property(micro, fc.array(micro, { maxLength: 12 }), (balance, limits) => {
        let inFlight = 0n;
        for (const limit of limits)
          if (shortOf({ lot: LOT, limit }, { balance, inFlight }) === null) inFlight += limit;
        expect(inFlight).toBeLessThanOrEqual(balance);
      }),
    );
  });

  it('that one may spend is the least of caps and money, never below nothing, and never grows with promises', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        micro,
        micro,
        micro,
        (caps, balance, a, b) => {
          const spendable = spendableOf(caps, { balance, inFlight: a });
          expect(spendable).toBeGreaterThanOrEqual(0n);
          expect(spendable).toBeLessThanOrEqual(caps > 0n ? caps : 0n);
          expect(spendable).toBeLessThanOrEqual(freeFunds({ balance, inFlight: a }));
          expect(spendableOf(caps, { balance, inFlight: a + b })).toBeLessThanOrEqual(spendable);
        },
      ),
    );
  });

  it('is none to spend over an empty account, whatever the caps', () => {
    expect(spendableOf(150n * USD, { balance: 0n, inFlight: 0n })).toBe(0n);
  });
});
