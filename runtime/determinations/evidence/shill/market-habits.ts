import { sql } from 'kysely';
import type { JoinedSellers, MarketHabits } from '../../../../agents/determinations/shill/bid-history.ts';
import { joinedSellers } from '../../../../agents/determinations/shill/joined-sellers.ts';
import { type MarketLot, populationOf } from '../../../../agents/determinations/shill/market-habits.ts';
import type { Database } from '../../../../store/database.ts';
import { isMovingBid } from '../../../../store/market/moving-bids.ts';
import { ofLargeMarket } from './large-market.ts';

/** The newest bidders, counted on each lot, are enough to know habits by, and keep the question short beside any history. */
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
  const large = { key: `habits/${category}`, now, isLarge: (market: Market) => market.bids >= MANY };
  const { lots: all } = await ofLargeMarket(db, large, async () =>
    lotsOf(await newestBids(db, category, since)),
  );
  const joined = joinedSellers(all, seller);
  return {
    habits: populationOf(all, seller).habits,
    joined: joined === null ? null : labelled(joined, new Map([...labels, [seller, 'seller']])),
  };
}

interface Market {
  readonly bids: number;
  /** The same list for as long as it is kept, so that it is reckoned with once. */
  readonly lots: readonly MarketLot[];
}

function lotsOf(rows: readonly Row[]): Market {
  const lots = new Map<string, MarketLot>();
  for (const { seller, listing: lot, bidder, won } of rows) {
    const { bidders, winner } = lots.get(lot) ?? { bidders: [], winner: null };
    lots.set(lot, { lot, seller, bidders: [...bidders, bidder], winner: won ? bidder : winner });
  }
  return { bids: rows.length, lots: [...lots.values()] };
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
    select distinct coalesce(b.beneficial_owner, lower(la.owner)) as seller, o.listing_ref as listing, lower(o.owner) as bidder,
      exists (select from matches m join orders s on s.order_id = m.sell_order
        where s.listing_ref = o.listing_ref and s.side = 'sell' and m.buy_order = any(o.orders)) as won
    from (
      select o.listing_ref, o.owner, array_agg(o.order_id) as orders
      from orders o
      where ${isMovingBid} and o.category = ${category} and o.created_at > ${since}
      group by o.listing_ref, o.owner order by max(o.created_at) desc limit ${NEWEST}
    ) o
      join listings l on l.listing_ref = o.listing_ref join agents la on la.handle = l.handle
      left join beneficial_owners b on b.owner = lower(la.owner)`.execute(db);
  return rows;
}
