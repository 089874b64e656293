import type { Micro } from '../money.ts';
import { isNameLot } from '../names/name.ts';
import { chargeFor } from './prices.ts';

export interface DealMoney {
  /** The platform's: from the seller's proceeds, of a name from both sides. */
  readonly fee: Micro;
  readonly sellerNets: Micro;
  readonly buyerPays: Micro;
}

/** Two percent of a deal, rounded down to the micro-dollar, from the seller; the buyer pays the price. */
export function dealMoney(price: Micro): DealMoney {
  const fee = chargeFor('live', 'deal-fee', price);
  return { fee, sellerNets: price - fee, buyerPays: price };
}

/** Two and a half percent of a name sale on each side: at 300 the seller nets 292.50 and the buyer pays 307.50. */
export function nameMoney(price: Micro): DealMoney {
  const side = chargeFor('live', 'name-fee', price);
  return { fee: 2n * side, sellerNets: price - side, buyerPays: price + side };
}

/** What a deal over this lot comes to, by its asset key. */
export function moneyOf(assetKey: string, price: Micro): DealMoney {
  return isNameLot(assetKey) ? nameMoney(price) : dealMoney(price);
}
