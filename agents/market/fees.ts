import type { Micro } from '../money.ts';
import { chargeFor } from './prices.ts';

export interface DealMoney {
  /** The platform's, taken once, from the seller's proceeds. */
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
