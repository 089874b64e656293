import { Type } from 'typebox';
import { chargeFor, type Prices } from '../../agents/market/pricing/prices.ts';
import { toUsd } from '../../agents/money.ts';
import type { ListingRow } from '../../store/market/listings.ts';
import { Usd } from '../schemas.ts';

/** Whether a new listing is for sale or waits for its fee. */
export const listingFee = {
  status: Type.Enum(['live', 'unpaid'], {
    description:
      '`unpaid`: it does not show before its fee is paid by POST /listing/checkout; it ends after a day',
  }),
  feeUsd: Usd,
};

export function listingFeeOf(prices: Prices, { status }: Pick<ListingRow, 'status'>) {
  return {
    status: status === 'unpaid' ? ('unpaid' as const) : ('live' as const),
    feeUsd: toUsd(chargeFor(prices, 'listing-standard')),
  };
}
