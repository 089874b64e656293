import { type Static, Type } from 'typebox';
import { type Micro, toUsd } from '../../money.ts';
import { moneyOf } from './fees.ts';

const usd = (description: string) => Type.Number({ description });

/** The amounts of a deal, in dollars, as its owners are told of them. */
export const ToldMoney = Type.Object({
  priceUsd: usd('US dollars, at most six decimals'),
  feeUsd: usd('of both sides together: only the sale of a name has a fee on each'),
  paysUsd: usd('what the buyer pays, with its fee'),
  getsUsd: usd('what the seller gets, after its fee'),
});
export type ToldMoney = Static<typeof ToldMoney>;

/**
 * What an answer and a message tell of a deal's money, both in these words.
 * @param lot the asset key: it says whose fee it is
 * @param deal its price and its fee, in micro-dollars
 */
export function toldMoney(
  lot: string,
  { price, fee }: { readonly price: Micro; readonly fee: Micro },
): ToldMoney {
  const { buyerPays, sellerNets } = moneyOf(lot, price);
  return {
    priceUsd: toUsd(price),
    feeUsd: toUsd(fee),
    paysUsd: toUsd(buyerPays),
    getsUsd: toUsd(sellerNets),
  };
}
