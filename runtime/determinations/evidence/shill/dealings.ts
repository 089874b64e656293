import { sql } from 'kysely';
import { ringOf } from '../../../../agents/determinations/shill/rounds.ts';
import type { DealHistory, Trade } from '../../../../agents/determinations/shill/shill-evidence.ts';
import { walletsOf } from '../../../../store/agent/beneficial-owners.ts';
import type { Database } from '../../../../store/database.ts';

const DEAL_DAYS = 180;
/** More rows than this are not read, and the evidence then says that it is cut off. */
const MAX_TRADES = 500;

/** A deal that settled, by the owners for whom its orders were placed. */
const TRADE = sql`m.deal_id as "dealId", m.asset_key as lot, m.seller_owner as seller, m.buyer_owner as buyer,
  m.seq::float8 as place, m.seq
  from matches m`;
const SETTLED = sql`m.settled_at is not null`;

/**
 * The deals that settled between the owners of a deal's agents and over its lot, and the bids of the seller's own side
 * on it. Settled deals are public; an order only counts by who placed it, never by its limit.
 * @returns null when the deal is unknown here
 */
export async function gatherDealHistory(
  db: Database,
  dealId: string,
  now: Date,
): Promise<DealHistory | null> {
  const since = new Date(now.getTime() - DEAL_DAYS * 86_400_000);
  const earlier = sql`${SETTLED} and m.deal_id <> ${dealId} and m.matched_at > ${since}`;
  // An owner's deals on either side, each counted by its own index: nobody deals with himself.
  const dealsOf = (owner: ReturnType<typeof sql>) => sql`(
    (select count(*) from matches m where m.seller_owner = ${owner} and ${earlier})
    + (select count(*) from matches m where m.buyer_owner = ${owner} and ${earlier}))::int`;
  interface Deal {
    readonly lot: string;
    readonly seller: string;
    readonly buyer: string;
    readonly sold: number;
    readonly bought: number;
    readonly bids: number;
  }
  const deal = await sql<Deal>`
    select d.asset_key as lot, d.seller_owner as seller, d.buyer_owner as buyer,
      ${dealsOf(sql`d.seller_owner`)} as sold, ${dealsOf(sql`d.buyer_owner`)} as bought,
      -- Whose agent it was when it bid: anybody may send a seller an agent that bid on its lot before.
      (select count(*)::int from orders o
        where o.listing_ref = s.listing_ref and o.side = 'buy'
          and (o.handle = s.handle or lower(o.owner) = any(${walletsOf(sql`d.seller_owner`)}))) as bids
    from matches d join orders s on s.order_id = d.sell_order where d.deal_id = ${dealId}`.execute(db);
  const row = deal.rows[0];
  if (row === undefined) return null;
  const { lot, seller, buyer } = row;
  const trades = await sql<Trade>`
      select "dealId", lot, seller, buyer, place from (
        select ${TRADE} where m.asset_key = ${lot} and ${earlier}
        union select ${TRADE} where m.seller_owner = ${seller} and m.buyer_owner = ${buyer} and ${earlier}
        union select ${TRADE} where m.seller_owner = ${buyer} and m.buyer_owner = ${seller} and ${earlier}
      ) trades order by seq desc limit ${MAX_TRADES + 1}`.execute(db);
  const known = { lot, seller, buyer, trades: trades.rows.slice(0, MAX_TRADES) };
  const among = await tradesAmong(db, ringOf(known), { ...known, dealId, since });
  return {
    days: DEAL_DAYS,
    lot,
    seller,
    buyer,
    trades: [...known.trades, ...among.slice(0, MAX_TRADES)],
    deals: { seller: row.sold, buyer: row.bought },
    sellerSideBids: row.bids,
    complete: trades.rows.length <= MAX_TRADES && among.length <= MAX_TRADES,
  };
}

/** Further deals that settled among the owners among whom a lot circulates; for two owners they are already known. */
async function tradesAmong(
  db: Database,
  owners: readonly string[],
  { dealId, since, trades }: Pick<DealHistory, 'trades'> & { readonly dealId: string; readonly since: Date },
): Promise<readonly Trade[]> {
  if (owners.length < 3) return [];
  const known = [dealId, ...trades.map((t) => t.dealId)];
  const { rows } = await sql<Trade>`
    select "dealId", lot, seller, buyer, place from (
      select ${TRADE}
      where ${SETTLED} and m.deal_id <> all(${known}) and m.matched_at > ${since}
        and m.seller_owner = any(${[...owners]}) and m.buyer_owner = any(${[...owners]})
    ) trades order by seq desc limit ${MAX_TRADES + 1}`.execute(db);
  return rows;
}
