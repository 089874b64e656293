import { sql } from 'kysely';
import type { Database } from '../../../../store/database.ts';
import { isMovingBid } from '../../../../store/market/moving-bids.ts';
import { ofLargeMarket } from './large-market.ts';

/** A market with so many lots is counted once in a while. */
const MANY_LOTS = 5_000;

/** How many lots of the category were bid on, and on how many each of these bidders bid. */
export async function countLots(
  db: Database,
  question: {
    /** By the owners who bid. */
    readonly labels: ReadonlyMap<string, string>;
    readonly category: string;
    readonly since: Date;
    readonly now: Date;
    /** Whether a large market is counted once in a while, and not for days of its own. */
    readonly kept: boolean;
  },
): Promise<{ lotsOf: Record<string, number>; market: number }> {
  const { labels, category, since, now, kept } = question;
  const large = { key: `lots/${category}`, now, isLarge: (lots: number) => lots >= MANY_LOTS };
  const counted = async (): Promise<number> => {
    const { rows } = await sql<{ lots: string }>`
      select count(distinct o.listing_ref)::text as lots from orders o
      where ${isMovingBid} and o.category = ${category} and o.created_at > ${since}`.execute(db);
    return Number(rows[0]?.lots);
  };
  const [market, own] = await Promise.all([
    kept ? ofLargeMarket(db, large, counted) : counted(),
    sql<{ owner: string; lots: string }>`
      select lower(o.owner) as owner, count(distinct o.listing_ref)::text as lots
      from orders o
      where ${isMovingBid} and o.category = ${category} and o.created_at > ${since}
        and lower(o.owner) = any(${[...labels.keys()]})
      group by 1`.execute(db),
  ]);
  return {
    lotsOf: Object.fromEntries(own.rows.map((r) => [labels.get(r.owner) ?? '', Number(r.lots)])),
    market,
  };
}
