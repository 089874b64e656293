import { sql } from 'kysely';
import type { JoinedSellers, MarketHabits } from '../../../agents/determinations/shill/bid-history.ts';
import { joinedSellers } from '../../../agents/determinations/shill/joined-sellers.ts';
import { type MarketLot, populationOf } from '../../../agents/determinations/shill/market-habits.ts';
import type { Database } from '../../../store/database.ts';
import { ofLargeMarket } from './large-market.ts';

/** The newest bids are enough to know habits by, and keep the question short beside any history. */
const NEWEST = 5_000;
/** So many are read once in a while. */
const MANY = 2_500;

interface Row {
  readonly seller: string;
  readonly listing: string;
  readonly bidder: string;
  readonly won: boolean;
}

/**
 * How the owners who bid at other sellers of a category bid there, over its newest bids: whoever buys music is no
 * measure for those who buy cars. Counts alone are kept, and of sellers with the same bidders their lots without a name.
 */
export async function gatherHabits(
  db: Database,
  {
    seller,
    labels,
    category,
    since,
    now,
  }: {
    readonly seller: string;
    /** Those who bid at the seller. */
    readonly labels: ReadonlyMap<string, string>;
    readonly category: string;
    readonly since: Date;
    readonly now: Date;
  },
): Promise<{ readonly habits: MarketHabits; readonly joined: JoinedSellers | null }> {
  const large = { key: `habits/${category}`, now, isLarge: (rows: readonly Row[]) => rows.length >= MANY };
  const rows = await ofLargeMarket(db, large, () => newestBids(db, category, since));
  const lots = new Map<string, MarketLot>();
  for (const { seller: by, listing: lot, bidder, won } of rows) {
    const { bidders, winner } = lots.get(lot) ?? { bidders: [], winner: null };
    lots.set(lot, { lot, seller: by, bidders: [...bidders, bidder], winner: won ? bidder : winner });
  }
  const all = [...lots.values()];
  const joined = joinedSellers(all, seller);
  return {
    habits: populationOf(all, seller).habits,
    joined: joined === null ? null : labelled(joined, new Map([...labels, [seller, 'seller']])),
  };
}

function labelled(joined: JoinedSellers, labels: ReadonlyMap<string, string>): JoinedSellers {
  const labelOf = (owner: string): string => labels.get(owner) ?? '';
  return {
    ...joined,
    lots: joined.lots.map(({ bidders, crowd, winner }) => ({
      bidders: bidders.map(labelOf).filter((label) => label !== ''),
      crowd,
      winner: winner === null ? null : labelOf(winner),
    })),
  };
}

async function newestBids(db: Database, category: string, since: Date): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select distinct lower(la.owner) as seller, o.listing_ref as listing, lower(o.owner) as bidder,
      exists (select from matches m join orders s on s.order_id = m.sell_order
        where s.listing_ref = o.listing_ref and m.buy_order = o.order_id) as won
    from (select * from orders where side = 'buy' and category = ${category} order by seq desc limit ${NEWEST}) o
      join listings l on l.listing_ref = o.listing_ref join agents la on la.handle = l.handle
    where o.created_at > ${since}`.execute(db);
  return rows;
}
