import type { Category } from '../categories.ts';
import type { Micro } from '../money.ts';
import { dealMoney } from './fees.ts';
import { chargeFor, type PriceId, type PriceSetting, priceName } from './prices.ts';

export type QuoteTier = 'wallet' | 'tier2' | 'tier3';

export interface QuoteLine {
  readonly id: PriceId;
  readonly name: string;
  readonly amount: Micro;
  /** `caller`: whoever asks for the determination pays for it over x402. */
  readonly paidBy: 'caller' | 'seller';
  readonly note: string;
}

/** Amounts in micro-dollars; the seller's and the buyer's are null when no price was named. */
export interface Quote {
  readonly lines: readonly QuoteLine[];
  readonly total: Micro;
  readonly sellerNets: Micro | null;
  readonly buyerPays: Micro | null;
}

/** What a determination of `tier` costs, and what a deal at `price` takes: both from the one price table. */
export function quote(
  setting: PriceSetting,
  ask: { readonly tier: QuoteTier; readonly category: Category | null; readonly price: Micro | null },
): Quote {
  const { tier, category, price } = ask;
  const id: PriceId = tier === 'wallet' || category === null ? 'wallet-determination' : `${tier}-${category}`;
  const determination: QuoteLine = {
    id,
    name: priceName(id),
    amount: chargeFor(setting, id, price ?? 0n),
    paidBy: 'caller',
    note:
      id === 'wallet-determination'
        ? 'one percent of the transaction, at least one cent; a call'
        : 'a call; the 402 challenge decides',
  };
  if (price === null) {
    return { lines: [determination], total: determination.amount, sellerNets: null, buyerPays: null };
  }
  const { fee, sellerNets, buyerPays } = dealMoney(price);
  const platform: QuoteLine = {
    id: 'deal-fee',
    name: priceName('deal-fee'),
    amount: fee,
    paidBy: 'seller',
    note: "two percent, charged once when the deal settles, out of the seller's proceeds",
  };
  return { lines: [determination, platform], total: determination.amount + fee, sellerNets, buyerPays };
}
