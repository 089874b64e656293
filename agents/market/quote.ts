import type { Category } from '../categories.ts';
import type { Micro } from '../money.ts';
import { dealMoney, nameMoney } from './fees.ts';
import type { Membership } from './membership.ts';
import { chargeFor, type PriceId, type PriceSetting, priceName } from './prices.ts';

export type QuoteTier = 'wallet' | 'tier2' | 'tier3';

export interface QuoteLine {
  readonly id: PriceId;
  readonly name: string;
  readonly amount: Micro;
  /** `caller`: whoever asks for the determination pays for it over x402. `membership`: by signing in, nobody pays. */
  readonly paidBy: 'caller' | 'seller' | 'buyer' | 'membership';
  readonly note: string;
}

/** Amounts in micro-dollars; the seller's and the buyer's are null when no price was named. */
export interface Quote {
  readonly lines: readonly QuoteLine[];
  readonly total: Micro;
  readonly sellerNets: Micro | null;
  readonly buyerPays: Micro | null;
}

/**
 * What a determination of `tier` costs, and what a deal at `price` takes, of goods or of a name: all from the one price
 * table. A membership covers wallet determinations and nothing else.
 */
export function quote(
  setting: PriceSetting,
  ask: {
    readonly tier: QuoteTier;
    readonly category: Category | null;
    readonly price: Micro | null;
    /** Whether the deal is over a name, of which both sides pay. */
    readonly isName: boolean;
    /** What covers the wallet that asks, if anything does. */
    readonly membership: Membership | null;
  },
): Quote {
  const { tier, category, price, isName, membership } = ask;
  const id: PriceId = tier === 'wallet' || category === null ? 'wallet-determination' : `${tier}-${category}`;
  const covered = id === 'wallet-determination' && membership !== null;
  const charge = chargeFor(setting, id, price ?? 0n);
  const determination: QuoteLine = {
    id,
    name: priceName(id),
    amount: covered ? 0n : charge,
    paidBy: covered ? 'membership' : 'caller',
    note: noteOn(id, membership),
  };
  if (price === null) {
    return { lines: [determination], total: determination.amount, sellerNets: null, buyerPays: null };
  }
  const { fee, sellerNets, buyerPays } = isName ? nameMoney(price) : dealMoney(price);
  const fees = isName
    ? [
        feeLine(
          'name-fee',
          price - sellerNets,
          'seller',
          "two and a half percent, charged when the deal settles, out of the seller's proceeds",
        ),
        feeLine(
          'name-fee',
          buyerPays - price,
          'buyer',
          'two and a half percent, charged when the deal settles, on top of the price',
        ),
      ]
    : [
        feeLine(
          'deal-fee',
          fee,
          'seller',
          "two percent, charged once when the deal settles, out of the seller's proceeds",
        ),
      ];
  return { lines: [determination, ...fees], total: determination.amount + fee, sellerNets, buyerPays };
}

function feeLine(id: PriceId, amount: Micro, paidBy: 'seller' | 'buyer', note: string): QuoteLine {
  return { id, name: priceName(id), amount, paidBy, note };
}

function noteOn(id: PriceId, membership: Membership | null): string {
  if (id !== 'wallet-determination') {
    return membership === null
      ? 'a call; the 402 challenge decides'
      : 'a call; a membership does not cover it; the 402 challenge decides';
  }
  if (membership === null) return 'one percent of the transaction, at least one cent; a call';
  const until = membership.until.toISOString().slice(0, 10);
  return `covered by the ${membership.kind} membership until ${until}: sign in instead of paying`;
}
