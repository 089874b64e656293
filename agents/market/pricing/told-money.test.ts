import { expect, it } from 'vitest';
import { moneyOf } from './fees.ts';
import { toldMoney } from './told-money.ts';

it('tells of goods what the seller pays, and of a name what each side pays', () => {
  const told = (lot: string, price: bigint) => toldMoney(lot, { price, fee: moneyOf(lot, price).fee });
  expect(told('eip155:1002/erc721:0xc/1', 85_000_000n)).toEqual({
    ...{ priceUsd: 85, feeUsd: 1.7 },
    ...{ paysUsd: 85, getsUsd: 83.3 },
  });
  expect(told('serial:name:alice.x', 300_000_000n)).toEqual({
    ...{ priceUsd: 300, feeUsd: 15 },
    ...{ paysUsd: 307.5, getsUsd: 292.5 },
  });
});
