import type { SaleTie } from '../../market/pricing/sale-weight.ts';
import type { Micro } from '../../money.ts';
import { halfSeen, moneyTrails, type Paid, type Side } from '../shill/money-trails.ts';

/** The two sides of a settled sale: owners, and the accounts that traded for them. Lower case. */
export interface SaleSides {
  /** The comparable's id. */
  readonly id: string;
  readonly seller: string;
  readonly buyer: string;
  readonly sellerAccount: string;
  readonly buyerAccount: string;
  /** What was paid for it; absent where that is not told. */
  readonly price?: Micro;
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
 * afterwards is seen, too, by its share in what was paid, however much else the buyer has. A sale one of whose sides' money
 * could not be followed whole has no tie.
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
  const came = incomeOf(payments, sides);
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
      const share =
        told === undefined
          ? 1
          : Math.max(
              told.fromSeller + told.shared,
              told.toSeller,
              backOf(told.fromSeller, came.get(buyer) ?? 0n, paidIn(sold, buyer)),
            );
      return { id, seller: purses.get(seller)!, buyer: purses.get(buyer)!, share: Math.min(1, share) };
    });
  });
}

/** What each side was paid by others outside of deals. */
function incomeOf(payments: readonly Paid[], sides: readonly Side[]): ReadonlyMap<string, Micro> {
  const owner = new Map(sides.flatMap(({ name, addresses }) => addresses.map((a) => [a, name] as const)));
  const income = new Map<string, Micro>();
  for (const { from, to, usd } of payments) {
    const name = owner.get(to);
    if (name !== undefined && owner.get(from) !== name) income.set(name, (income.get(name) ?? 0n) + usd);
  }
  return income;
}

/** What the buyer paid the seller in all these sales; null where that is not told of each. */
function paidIn(sold: readonly SaleSides[], buyer: string): Micro | null {
  return sold
    .filter((sale) => sale.buyer === buyer)
    .reduce<Micro | null>((sum, { price }) => (sum === null || price === undefined ? null : sum + price), 0n);
}

/** What the buyer has of the seller, as a share of what it paid. */
function backOf(share: number, income: Micro, paid: Micro | null): number {
  return paid === null || paid === 0n ? 0 : (share * Number(income)) / Number(paid);
}
