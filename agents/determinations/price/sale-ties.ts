import type { SaleTie } from '../../market/pricing/sale-weight.ts';
import type { Micro } from '../../money.ts';
import { isHalfSeen, isOpenBetween, moneyTrails, pursesOf } from '../shill/money-trails.ts';
import { type Question, type Side, walksOf } from '../shill/payers.ts';
import type { Paid } from '../shill/payments.ts';

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
type Money = Pick<Question, 'payments' | 'known' | 'cut' | 'busy'>;

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
 * could not be followed whole, or whose sides one paid who may have customers, has no tie.
 */
export function tiesOfSales(all: readonly SaleSides[], money: Money): SaleTie[] {
  const sides = sidesOfSales(all);
  const sideOf = new Map(sides.map((side) => [side.name, side]));
  // Nobody is anybody's shill here, so that each side's way back is the same whoever sold to it.
  const walks = walksOf({ seller: NOBODYS, bidders: sides, ...money, attached: null });
  const walkOf = (owner: string) => walks(sideOf.get(owner)!);
  const sales = all.filter(
    ({ seller, buyer }) =>
      ![seller, buyer].some((owner) => isHalfSeen(walkOf(owner), money.cut)) &&
      (seller === buyer || !isOpenBetween(walkOf(seller), walkOf(buyer))),
  );
  const came = incomeOf(money.payments, sides);
  const purses = pursesOf(sides.map(walks));
  const ownerBehind = new Map(sides.map(({ name }, i) => [name, purses[i] ?? name]));
  return [...new Set(sales.map((s) => s.seller))].flatMap((seller) => {
    const sold = sales.filter((s) => s.seller === seller);
    const buyers = [...new Set(sold.map((s) => s.buyer))].filter((buyer) => buyer !== seller);
    const found = new Map(
      moneyTrails(
        {
          ...{ ...money, attached: null, seller: sideOf.get(seller)! },
          bidders: buyers.map((buyer) => sideOf.get(buyer)!),
        },
        walks,
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
      return {
        id,
        seller: ownerBehind.get(seller)!,
        buyer: ownerBehind.get(buyer)!,
        share: Math.min(1, share),
      };
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
