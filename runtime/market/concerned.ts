import { leastBid } from '../../agents/agent/buying.ts';
import { isByItself } from '../../agents/agent/order-id.ts';
import { parseAssetKey } from '../../agents/assets.ts';
import { chainNameOf } from '../../agents/mandate/terms/chains.ts';
import { kindOf, kindPrefix } from '../../agents/market/pricing/comparables.ts';
import type { Database, Trx } from '../../store/database.ts';
import {
  activeOf,
  interestedIn,
  type MarketChange,
  type OfferedLot,
  offeredByPrefix,
  offeredLots,
  orderingOn,
  type Sought,
} from '../../store/market/market-changes.ts';

/** An agent is told of at most so many lots by name; of more, it is told to look at all. */
const MOST_NAMED = 20;
/** How many lots of one kind are looked up for a sale; a sale of a kind with more concerns whom these concern. */
const MOST_OF_KIND = 1_000;

/** By agent, the lots that concern it; null: all that are for sale. */
export type ConcernedLots = ReadonlyMap<string, readonly string[] | null>;

/**
 * Whom a change concerns:
 * - a lot listed or changed: whoever may buy it by its mandate, and whoever has an order on it;
 * - a lot that is gone, and an order that an owner placed or that left: whoever has an order on the lot;
 * - an order that left: also the other agents of its owner that may buy the lot, since they never bid against it;
 * - a sale: whoever may buy, bids on or sells a lot that the sale is a comparable of;
 * - a cap that is free again: its own agent.
 * An order that an agent placed by itself concerns nobody else: two agents could answer each other for ever.
 */
export async function concernedBy(
  db: Database | Trx,
  changes: readonly MarketChange[],
): Promise<ConcernedLots> {
  const of = (kind: MarketChange['kind']) => changes.filter((n) => n.kind === kind);
  const found = new Found();
  const lotsOf = (some: readonly MarketChange[]): string[] => [...new Set(some.flatMap((n) => n.lot ?? []))];

  const listed = await offeredLots(db, lotsOf(of('listed')));
  found.add(await interestedIn(db, listed.map(soughtBy(null))), listed);
  const left = of('left');
  const freedLots = new Map((await offeredLots(db, lotsOf(left))).map((o) => [o.lot, o]));
  found.add(
    await interestedIn(
      db,
      left.flatMap((n) => {
        const offered = n.lot === null ? undefined : freedLots.get(n.lot);
        return offered === undefined ? [] : [soughtBy(n.owner)(offered)];
      }),
    ),
    left,
  );
  const onBook = changes.filter(
    ({ kind, orderId }) =>
      kind === 'listed' ||
      kind === 'gone' ||
      ((kind === 'placed' || kind === 'left') && !isByItself(orderId!)),
  );
  found.add(await orderingOn(db, lotsOf(onBook)), onBook);
  for (const kind of kindsSold(of('settled'))) await addSale(db, found, kind);
  const freed = new Set(of('freed').flatMap((n) => n.handle ?? []));
  for (const handle of await activeOf(db, [...freed])) found.all(handle);
  return found.lots();
}

/** Collects whom what concerns. */
class Found {
  readonly #lots = new Map<string, Set<string> | null>();

  /** @param causes whoever alone has caused the change of a lot is not told of it */
  add(
    concerned: readonly { readonly handle: string; readonly lot: string }[],
    causes: readonly { readonly handle: string | null; readonly lot: string | null }[] = [],
  ): void {
    const by = new Map<string, Set<string | null>>();
    for (const { lot, handle } of causes)
      if (lot !== null) by.set(lot, (by.get(lot) ?? new Set()).add(handle));
    for (const { handle, lot } of concerned) {
      const causers = by.get(lot);
      if (causers?.size === 1 && causers.has(handle)) continue;
      const known = this.#lots.get(handle);
      if (known === null) continue;
      this.#lots.set(handle, (known ?? new Set()).add(lot));
    }
  }

  all(handle: string): void {
    this.#lots.set(handle, null);
  }

  lots(): ConcernedLots {
    const most = ([handle, lots]: [string, Set<string> | null]) =>
      [handle, lots === null || lots.size > MOST_NAMED ? null : [...lots].sort()] as const;
    return new Map([...this.#lots].sort(([a], [b]) => (a < b ? -1 : 1)).map(most));
  }
}

function soughtBy(owner: string | null) {
  return (offered: OfferedLot): Sought => ({
    lot: offered.lot,
    category: offered.category,
    chain: chainNameOf(Number(offered.chain.split(':')[1])),
    least: leastBid(offered),
    owner,
  });
}

interface KindSold {
  readonly category: string;
  readonly prefix: string;
  /** Null: only the lot itself is of its kind. */
  readonly kind: string | null;
  readonly lot: string;
}

/** What was sold, each kind once. */
function kindsSold(sales: readonly MarketChange[]): readonly KindSold[] {
  const kinds = new Map<string, KindSold>();
  for (const { lot, category } of sales) {
    if (lot === null || category === null) continue;
    const asset = parseAssetKey(lot);
    const kind = kindOf(asset);
    kinds.set(`${category} ${kind ?? lot}`, { category, kind, lot, prefix: kindPrefix(asset) });
  }
  return [...kinds.values()];
}

async function addSale(db: Database | Trx, found: Found, sold: KindSold): Promise<void> {
  const { category, prefix, kind, lot } = sold;
  const near = await offeredByPrefix(db, { category, prefix, limit: MOST_OF_KIND });
  const alike = near.filter((o) => o.lot === lot || (kind !== null && kindOf(parseAssetKey(o.lot)) === kind));
  found.add(
    await orderingOn(
      db,
      alike.map((o) => o.lot),
    ),
  );
  // Of many the thing itself and the cheapest: whoever may buy any of the others may buy these.
  const nearest = [...alike].sort(
    (a, b) =>
      Number(b.lot === lot) - Number(a.lot === lot) ||
      (leastBid(a) === leastBid(b) ? (a.lot < b.lot ? -1 : 1) : leastBid(a) < leastBid(b) ? -1 : 1),
  );
  found.add(await interestedIn(db, nearest.slice(0, MOST_NAMED).map(soughtBy(null))));
}
