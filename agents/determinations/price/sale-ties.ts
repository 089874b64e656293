import type { SaleTie } from '../../market/pricing/sale-weight.ts';
import { halfSeen, moneyTrails, type Paid, type Side } from '../shill/money-trails.ts';

/** The two sides of a settled sale: owners, and the accounts that traded for them. Lower case. */
export interface SaleSides {
  /** The comparable's id. */
  readonly id: string;
  readonly seller: string;
  readonly buyer: string;
  readonly sellerAccount: string;
  readonly buyerAccount: string;
}

/** Payments outside of deals, and who of the payers is publicly known. */
interface Money {
  readonly payments: readonly Paid[];
  readonly known: ReadonlySet<string>;
  /** To whom more was paid than was looked at; left out: to nobody. */
  readonly cut?: ReadonlySet<string>;
}

const NOBODYS: Side = { name: 'nobody', addresses: [] };

/** Every owner with all accounts that traded for it. */
export function sidesOfSales(sales: readonly SaleSides[]): Side[] {
  const accounts = new Map<string, Set<string>>();
  const add = (owner: string, account: string): void => {
    accounts.set(owner, (accounts.get(owner) ?? new Set([owner])).add(account));
  };
  for (const { seller, buyer, sellerAccount, buyerAccount } of sales) {
    add(seller, sellerAccount);
    add(buyer, buyerAccount);
  }
  return [...accounts].map(([name, addresses]) => ({ name, addresses: [...addresses] }));
}

/**
 * How close the two sides of each sale are by the money that came to them outside of deals, now: who sent a price back
 * afterwards is seen, too. A sale one of whose sides' money could not be followed whole has no tie.
 */
export function tiesOfSales(
  all: readonly SaleSides[],
  { payments, known, cut = new Set() }: Money,
): SaleTie[] {
  const everybody = { seller: NOBODYS, bidders: sidesOfSales(all), payments, known, attached: null, cut };
  const open = new Set(halfSeen(everybody));
  const sales = all.filter(({ seller, buyer }) => !open.has(seller) && !open.has(buyer));
  const sides = sidesOfSales(sales);
  const sideOf = new Map(sides.map((side) => [side.name, side]));
  const trace = (seller: Side, bidders: readonly Side[]) =>
    moneyTrails({ seller, bidders, payments, known, attached: null });
  const purses = new Map(trace(NOBODYS, sides).map((b) => [b.bidder, b.group ?? b.bidder]));
  return [...new Set(sales.map((s) => s.seller))].flatMap((seller) => {
    const sold = sales.filter((s) => s.seller === seller);
    const buyers = [...new Set(sold.map((s) => s.buyer))].filter((buyer) => buyer !== seller);
    const found = new Map(
      trace(
        sideOf.get(seller)!,
        buyers.map((buyer) => sideOf.get(buyer)!),
      ).map((b) => [b.bidder, b]),
    );
    return sold.map(({ id, buyer }): SaleTie => {
      const told = found.get(buyer);
      const share = told === undefined ? 1 : Math.max(told.fromSeller + told.shared, told.toSeller);
      return { id, seller: purses.get(seller)!, buyer: purses.get(buyer)!, share: Math.min(1, share) };
    });
  });
}
