import { judge } from '../../../agents/determinations/panel/judge.ts';
import type { Verdict } from '../../../agents/determinations/panel/types.ts';
import { type SaleSides, tiesOfSales } from '../../../agents/determinations/price/sale-ties.ts';
import { TRAIL_HOPS } from '../../../agents/determinations/shill/payers.ts';
import type { Paid } from '../../../agents/determinations/shill/payments.ts';
import { priceOfFile } from '../../../agents/evaluation/price-form.ts';
import { fromFile } from '../../../agents/evaluation/read-evidence.ts';
import { weighedByTies } from '../../../agents/market/pricing/sale-weight.ts';
import type { BenchRow } from '../row.ts';
import { FOUND, none, plantedRow } from '../shill/agent-rows.ts';
import type { Car } from './cars.ts';

/** So many wallets sell to one another, each pair once, at about so many times the price. */
const WALLETS = 6;
const PUMPED = 2.5;
/** The money of so many honest sales is followed beside them; of the others nobody's is told. */
const FOLLOWED = 250;
const DAY_MS = 86_400_000;

const MONEY = ['from the seller', 'over one', 'over two', 'one purse', 'sent back', 'unseen'] as const;
type Money = (typeof MONEY)[number];

/**
 * A ring of wallets sells cars like one that is for sale to one another, at two and a half times its real price and after
 * all others were sold, and asks as much for it. How many of those are FLAGGED that are without these sales, by how the
 * money came to the wallets; and whether the money of a market without a ring changes what is said of it at its real price.
 */
export function washedSales(cars: readonly Car[], step: number): BenchRow[] {
  const asked = cars.filter((_, i) => i % step === 0);
  const dear = asked.filter((car) => verdictOn(car, cars, { money: null, times: PUMPED }) === 'FLAGGED');
  const found = MONEY.map((money): BenchRow => {
    const counts = none();
    for (const car of dear) counts[verdictOn(car, cars, { money, times: PUMPED })] += 1;
    const { name, ratio, ...goal } = plantedRow(
      `wash sales that pump comparables, money ${money}`,
      counts,
      FOUND,
    );
    return { name, ratio: ratio!, ...(money === 'unseen' ? {} : goal) };
  });
  const changed = asked.filter((car) => {
    const fair = { money: null, times: 1 } as const;
    return verdictOn(car, cars, fair) !== verdictOn(car, cars, { ...fair, followed: 0 });
  }).length;
  return [
    ...found,
    {
      name: `the same ${asked.length} cars at their price, all paid over one exchange: judged otherwise than without money`,
      measured: String(changed),
      ...{ goal: 'none', ok: changed === 0 },
    },
  ];
}

function verdictOn(
  car: Car,
  cars: readonly Car[],
  {
    money,
    times,
    followed = FOLLOWED,
  }: { readonly money: Money | null; readonly times: number; readonly followed?: number },
): Verdict {
  const alike = cars.filter((other) => other !== car && other.make === car.make);
  const others = [...alike, ...cars.filter((other) => other.make !== car.make)];
  const honest = others
    .slice(0, followed)
    .map((sold, i) => saleOf(`sale-${i + 1}`, [`seller-${i}`, `buyer-${i}`], sold.priceUsd));
  const ring = money === null ? [] : pairsOf(Array.from({ length: WALLETS }, (_, i) => `wallet-${i}`));
  const after = new Date(Date.parse(car.soldAt) + 5 * DAY_MS).toISOString();
  const { vin: _, priceUsd, ...like } = car;
  const pumped = ring.map((_, i) => ({
    ...like,
    ...{ mileage: Number(car.mileage) + 500 * i, soldAt: after },
    priceUsd: Math.round(priceUsd * PUMPED * (0.96 + 0.005 * i)),
  }));
  const washed = ring.map((both, i) => saleOf(`sale-${others.length + i + 1}`, both, pumped[i]!.priceUsd));
  const { soldAt: __, ...subject } = car;
  const { priceUsd: ___, ...told } = subject;
  const { common, at } = priceOfFile({
    ...{ id: 'car', priceUsd: priceUsd * times, at: after },
    subject: { category: 'real-world-assets', ...told },
    comparables: [...others, ...pumped],
  });
  const sales = [...honest, ...washed];
  const ties = tiesOfSales(sales, { payments: paymentsOf(sales, money), known: new Set() });
  const evidence = fromFile(
    'price-intelligence',
    {
      ...common,
      comparables: weighedByTies(common.comparables ?? [], ties),
      ties: { hops: TRAIL_HOPS, sales: sales.length, fault: null },
    },
    { at, depth: '2-of-2' },
  );
  return judge(evidence).verdict;
}

function saleOf(id: string, [seller, buyer]: readonly [string, string], dollars: number): SaleSides {
  const price = BigInt(Math.round(dollars)) * 1_000_000n;
  return {
    id,
    seller,
    buyer,
    sellerAccount: `account of ${seller}`,
    buyerAccount: `account of ${buyer}`,
    price,
  };
}

function pairsOf(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((one, i) => names.slice(i + 1).map((other) => [one, other] as const));
}

/** Everybody honest is paid by an exchange through a wallet of his own, which takes in as much; the ring by its first. */
function paymentsOf(sales: readonly SaleSides[], money: Money | null): Paid[] {
  const people = new Set(sales.flatMap(({ seller, buyer }) => [seller, buyer]));
  const paid: Paid[] = [];
  const pay = (usd: number, ...way: readonly string[]): void => {
    for (const [i, to] of way.slice(1).entries())
      paid.push({ from: way[i]!, to, usd: BigInt(usd) * 1_000_000n });
  };
  const [first, ...rest] = [...people].filter((name) => name.startsWith('wallet-'));
  for (const [i, name] of [...people].entries()) {
    pay(3_000 + i, `customer-${i}`, `deposit-${i % 12}`, 'exchange');
    if (!rest.includes(name) || money === 'unseen' || money === 'sent back')
      pay(2_000 + i, 'exchange', `purse-of-${name}`, name);
  }
  for (const name of rest) {
    if (money === 'from the seller') pay(5_000, first!, name);
    if (money === 'over one') pay(5_000, first!, 'middle', name);
    if (money === 'over two') pay(5_000, first!, 'middle', `second-of-${name}`, name);
    if (money === 'one purse') pay(5_000, 'one-purse', name);
  }
  if (money === 'one purse') pay(9_000, 'one-purse', first!);
  // What a sale brought goes back to who paid for it.
  if (money === 'sent back')
    for (const { seller, buyer, price } of sales)
      if (seller.startsWith('wallet-'))
        pay(Number((price ?? 0n) / 1_000_000n), seller, `back-to-${buyer}`, buyer);
  return paid;
}
