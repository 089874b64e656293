import type { Micro } from '../../money.ts';
import { isNameLot } from '../../names/name.ts';
import { chargeFor } from './prices.ts';

export interface DealMoney {
  /** The platform's fee: taken from the seller's proceeds, or, for a name, from both sides. */
  readonly fee: Micro;
  readonly sellerNets: Micro;
  readonly buyerPays: Micro;
}

/** A deal over goods: the fee is two percent, rounded down to the micro-dollar, and the seller pays it. */
export function dealMoney(price: Micro): DealMoney {
  const fee = chargeFor('live', 'deal-fee', price);
  return { fee, sellerNets: price - fee, buyerPays: price };
}

/**
 * The sale of a name: each side pays two and a half percent. At 300 the seller nets 292.50 and the buyer pays 307.50.
 */
export function nameMoney(price: Micro): DealMoney {
  const side = chargeFor('live', 'name-fee', price);
  return { fee: 2n * side, sellerNets: price - side, buyerPays: price + side };
}

/** The fees on a deal over this lot. The asset key tells whether the lot is a name. */
export function moneyOf(assetKey: string, price: Micro): DealMoney {
  return isNameLot(assetKey) ? nameMoney(price) : dealMoney(price);
}
