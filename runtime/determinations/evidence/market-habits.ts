import { sql } from 'kysely';
import type { BidLot, MarketHabits } from '../../../agents/determinations/shill/bid-history.ts';
import { habitsOf } from '../../../agents/determinations/shill/bid-likelihood.ts';
import type { Database } from '../../../store/database.ts';

/** The newest bids are enough to know habits by, and keep the question short beside any history. */
const NEWEST = 5_000;

interface Row {
  readonly seller: string;
  readonly listing: string;
  readonly bidder: string;
  readonly won: boolean;
}

/** How the owners who bid at other sellers bid there, over the newest bids of the market. Counts alone are kept. */
export async function gatherHabits(
  db: Database,
  { seller, since }: { readonly seller: string; readonly since: Date },
): Promise<MarketHabits> {
  const { rows } = await sql<Row>`
    select distinct lower(la.owner) as seller, o.listing_ref as listing, lower(o.owner) as bidder,
      exists (select from matches m join orders s on s.order_id = m.sell_order
        where s.listing_ref = o.listing_ref and m.buy_order = o.order_id) as won
    from (select * from orders where side = 'buy' order by seq desc limit ${NEWEST}) o
      join listings l on l.listing_ref = o.listing_ref join agents la on la.handle = l.handle
    where o.created_at > ${since}`.execute(db);
  const lotsOf: Record<string, number> = {};
  const seen = new Set<string>();
  const sellers = new Map<string, Map<string, { bidders: Set<string>; winner: string | null }>>();
  for (const row of rows) {
    const bid = `${row.listing} ${row.bidder}`;
    if (!seen.has(bid)) lotsOf[row.bidder] = (lotsOf[row.bidder] ?? 0) + 1;
    seen.add(bid);
    if (row.seller === seller || row.bidder === seller) continue;
    const lots = sellers.get(row.seller) ?? new Map();
    const lot = lots.get(row.listing) ?? { bidders: new Set<string>(), winner: null };
    lot.bidders.add(row.bidder);
    lots.set(row.listing, row.won ? { ...lot, winner: row.bidder } : lot);
    sellers.set(row.seller, lots);
  }
  return habitsOf(
    [...sellers.values()].map((lots) => ({
      lots: [...lots].map(
        ([lot, { bidders, winner }]): BidLot => ({
          ...{ lot, minutes: 0, winner, priceToAsk: null },
          bids: [...bidders].map((bidder) => ({ bidder, minute: 0, amount: null })),
        }),
      ),
      lotsOf,
    })),
  );
}
