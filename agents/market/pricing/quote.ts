import type { Category } from '../../categories.ts';
import type { Micro } from '../../money.ts';
import type { Membership } from '../membership.ts';
import { dealMoney, nameMoney } from './fees.ts';
import { chargeFor, type PriceSetting, priceName, type SetPriceId } from './prices.ts';

export type QuoteTier = 'wallet' | 'tier2' | 'tier3';

/**
 * Who pays a line. `caller`: whoever asks for the determination pays over x402. `membership`: the wallet signs in and
 * nobody pays.
 */
export type Payer = 'caller' | 'seller' | 'buyer' | 'membership';

export interface QuoteLine {
  readonly id: SetPriceId;
  readonly name: string;
  readonly amount: Micro;
  readonly paidBy: Payer;
  readonly note: string;
}

/** Amounts in micro-dollars; the seller's and the buyer's are null when no price was named. */
export interface Quote {
  readonly lines: readonly QuoteLine[];
  /** What each payer pays in all, in the order of the lines. */
  readonly totals: readonly { readonly paidBy: Payer; readonly amount: Micro }[];
  /** What the caller is charged for the quoted determination, without anybody else's fees. */
  readonly total: Micro;
  readonly sellerNets: Micro | null;
  readonly buyerPays: Micro | null;
}

/**
 * What a determination of `tier` costs, and what the fees on a deal at `price` are, for goods or for a name. All
 * figures come from the one price table. A membership covers wallet determinations and nothing else.
 */
export function quote(
  setting: PriceSetting,
  ask: {
    readonly tier: QuoteTier;
    readonly category: Category | null;
    readonly price: Micro | null;
    /** Whether the deal is about a name, for which both sides pay a fee. */
    readonly isName: boolean;
    /** The membership that covers the wallet that asks, if there is one. */
    readonly membership: Membership | null;
  },
): Quote {
  const { tier, category, price, isName, membership } = ask;
  const id: SetPriceId =
    tier === 'wallet' || category === null ? 'wallet-determination' : `${tier}-${category}`;
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
    return { ...summed([determination]), sellerNets: null, buyerPays: null };
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
  return { ...summed([determination, ...fees]), sellerNets, buyerPays };
}

function summed(lines: readonly QuoteLine[]): Pick<Quote, 'lines' | 'totals' | 'total'> {
  const payers = [...new Set(lines.map(({ paidBy }) => paidBy))];
  const paid = (by: Payer) =>
    lines.reduce((sum, { paidBy, amount }) => (paidBy === by ? sum + amount : sum), 0n);
  const totals = payers.map((paidBy) => ({ paidBy, amount: paid(paidBy) }));
  return { lines, totals, total: paid('caller') };
}

function feeLine(id: SetPriceId, amount: Micro, paidBy: 'seller' | 'buyer', note: string): QuoteLine {
  return { id, name: priceName(id), amount, paidBy, note };
}

function noteOn(id: SetPriceId, membership: Membership | null): string {
  if (id !== 'wallet-determination') {
    return membership === null
      ? 'a call; the 402 challenge decides'
      : 'a call; a membership does not cover it; the 402 challenge decides';
  }
  if (membership === null) return 'one percent of the transaction, at least one cent; a call';
  const until = membership.until.toISOString().slice(0, 10);
  return `covered by the ${membership.kind} membership until ${until}: sign in instead of paying`;
}
