import { type Micro, toUsd } from '../../money.ts';
import { moneyOf } from './fees.ts';

/** The amounts of a deal, in dollars, as its owners are told of them. */
export interface ToldMoney {
  readonly priceUsd: number;
  /** Of both sides together: only the sale of a name has a fee on each. */
  readonly feeUsd: number;
  /** What the buyer pays, with its fee. */
  readonly paysUsd: number;
  /** What the seller gets, after its fee. */
  readonly getsUsd: number;
}

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
