import { sql } from 'kysely';
import type { BidLot } from '../../../agents/determinations/shill/bid-history.ts';
import { ringOf } from '../../../agents/determinations/shill/rounds.ts';
import type { DealHistory, LotBook, Trade } from '../../../agents/determinations/shill/shill-evidence.ts';
import type { Database } from '../../../store/database.ts';

const DEAL_DAYS = 180;
const BOOK_DAYS = 90;
/** More rows than this are not read, and the evidence then says that it is cut off. */
const MAX_TRADES = 500;
const MAX_BIDS = 5_000;

/** A deal that settled, by the owners for whom its orders were placed. */
const TRADE = sql`m.deal_id as "dealId", m.asset_key as lot, m.seller_owner as seller, m.buyer_owner as buyer, m.seq
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
  const deal = await sql<{ lot: string; listing: string; seller: string; buyer: string; handle: string }>`
    select m.asset_key as lot, s.listing_ref as listing, m.seller_owner as seller, m.buyer_owner as buyer, s.handle
    from matches m join orders s on s.order_id = m.sell_order where m.deal_id = ${dealId}`.execute(db);
  const row = deal.rows[0];
  if (row === undefined) return null;
  const { lot, seller, buyer } = row;
  const earlier = sql`${SETTLED} and m.deal_id <> ${dealId} and m.matched_at > ${since}`;
  // An owner's deals on either side, each counted by its own index: nobody deals with himself.
  const dealsOf = (owner: string) => sql`(
    (select count(*) from matches m where m.seller_owner = ${owner} and ${earlier})
    + (select count(*) from matches m where m.buyer_owner = ${owner} and ${earlier}))::text`;
  const [trades, counts, bids] = await Promise.all([
    sql<Trade>`
      select "dealId", lot, seller, buyer from (
        select ${TRADE} where m.asset_key = ${lot} and ${earlier}
        union select ${TRADE} where m.seller_owner = ${seller} and m.buyer_owner = ${buyer} and ${earlier}
        union select ${TRADE} where m.seller_owner = ${buyer} and m.buyer_owner = ${seller} and ${earlier}
      ) trades order by seq desc limit ${MAX_TRADES + 1}`.execute(db),
    sql<{ seller: string; buyer: string }>`
      select ${dealsOf(seller)} as seller, ${dealsOf(buyer)} as buyer`.execute(db),
    sql<{ bids: string }>`
      select count(*)::text as bids from orders o left join agents a on a.handle = o.handle
      where o.listing_ref = ${row.listing} and o.side = 'buy'
        and (o.handle = ${row.handle} or lower(o.owner) = ${seller} or lower(a.owner) = ${seller})`.execute(
      db,
    ),
  ]);
  const known = { lot, seller, buyer, trades: trades.rows.slice(0, MAX_TRADES) };
  const among = await tradesAmong(db, ringOf(known), { ...known, dealId, since });
  return {
    days: DEAL_DAYS,
    lot,
    seller,
    buyer,
    trades: [...known.trades, ...among.slice(0, MAX_TRADES)],
    deals: { seller: Number(counts.rows[0]?.seller), buyer: Number(counts.rows[0]?.buyer) },
    sellerSideBids: Number(bids.rows[0]?.bids),
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
    select "dealId", lot, seller, buyer from (
      select ${TRADE}
      where ${SETTLED} and m.deal_id <> all(${known}) and m.matched_at > ${since}
        and m.seller_owner = any(${[...owners]}) and m.buyer_owner = any(${[...owners]})
    ) trades order by seq desc limit ${MAX_TRADES + 1}`.execute(db);
  return rows;
}

interface BidRow {
  readonly listing: string;
  readonly listed_at: Date;
  readonly handle: string | null;
  readonly owner: string | null;
  readonly created_at: Date | null;
  readonly by: LotBook['sellerSide'][number]['by'] | null;
}

/**
 * The bidding history of the seller of a lot, with labels for the bidders and without amounts: who bids how much is
 * private, and this evidence is published.
 * @param lotRef a listing's reference or an asset's key
 * @param seller its handle, account or owner
 * @returns null when there is no such lot here
 */
export async function gatherBook(
  db: Database,
  { lotRef, seller, now }: { readonly lotRef: string; readonly seller: string; readonly now: Date },
): Promise<LotBook | null> {
  const since = new Date(now.getTime() - BOOK_DAYS * 86_400_000);
  const listing = await db
    .selectFrom('listings')
    .innerJoin('agents', 'agents.handle', 'listings.handle')
    .select(['listing_ref', 'listings.handle', 'agents.owner', 'agents.account', 'agents.session_key'])
    .where((eb) => eb.or([eb('listing_ref', '=', lotRef), eb('asset_key', '=', lotRef)]))
    .orderBy('listings.seq', 'desc')
    .executeTakeFirst();
  if (listing === undefined) return null;
  const owner = listing.owner.toLowerCase();
  const names = [listing.handle, owner, listing.account.toLowerCase()];
  // All listings of one owner's agents count together, and bidders are counted by their owners.
  const { rows } = await sql<BidRow>`
    select l.listing_ref as listing, l.listed_at, o.handle, lower(o.owner) as owner, o.created_at,
      case when lower(o.owner) = ${owner} or lower(a.owner) = ${owner} then 'owner'
        when lower(a.account) = ${listing.account.toLowerCase()} then 'account'
        when lower(a.session_key) = ${listing.session_key.toLowerCase()} then 'session key' end as by
    from listings l join agents la on la.handle = l.handle
    left join orders o on o.listing_ref = l.listing_ref and o.side = 'buy'
    left join agents a on a.handle = o.handle
    where lower(la.owner) = ${owner} and (l.listed_at > ${since} or l.listing_ref = ${listing.listing_ref})
    order by l.listing_ref = ${listing.listing_ref} desc, l.seq desc, o.seq
    limit ${MAX_BIDS + 1}`.execute(db);
  const read = rows.slice(0, MAX_BIDS);
  const labels = new Map<string, string>();
  for (const row of read) {
    if (row.owner !== null && !labels.has(row.owner)) labels.set(row.owner, `bidder-${labels.size + 1}`);
  }
  const outcomes = await outcomesOf(db, [...new Set(read.map((r) => r.listing))]);
  const totals = await lotsOf(db, labels, since);
  const side = new Map(
    read.flatMap((r) =>
      r.by === null || r.owner === null ? [] : [[labels.get(r.owner) ?? '', r.by] as const],
    ),
  );
  return {
    listingRef: listing.listing_ref,
    sellerListed: names.includes(seller.toLowerCase()),
    sellerSide: [...side].map(([bidder, by]) => ({ bidder, by })),
    history: {
      days: BOOK_DAYS,
      lots: lotsIn(read, labels, outcomes, now),
      ...totals,
      complete: rows.length <= MAX_BIDS,
    },
  };
}

interface Outcome {
  readonly listing: string;
  readonly winner: string;
  readonly settled: boolean;
  readonly ratio: number | null;
  readonly at: Date;
}

function lotsIn(
  rows: readonly BidRow[],
  labels: ReadonlyMap<string, string>,
  outcomes: ReadonlyMap<string, Outcome>,
  now: Date,
): BidLot[] {
  return [...new Set(rows.map((r) => r.listing))].map((lot) => {
    const own = rows.filter((r) => r.listing === lot);
    const opened = own[0]?.listed_at.getTime() ?? 0;
    const outcome = outcomes.get(lot);
    const minute = (at: Date): number => Math.max(0, Math.round((at.getTime() - opened) / 60_000));
    return {
      lot,
      minutes: minute(outcome?.at ?? now),
      bids: own.flatMap((r) =>
        r.owner === null || r.created_at === null
          ? []
          : [{ bidder: labels.get(r.owner) ?? '', minute: minute(r.created_at), amount: null }],
      ),
      winner: outcome === undefined ? null : (labels.get(outcome.winner) ?? null),
      priceToAsk: outcome?.settled === true ? outcome.ratio : null,
    };
  });
}

/** Who won each listing's lot, or is about to, and its clearing price divided by its ask. */
async function outcomesOf(db: Database, listings: readonly string[]): Promise<Map<string, Outcome>> {
  if (listings.length === 0) return new Map();
  const { rows } = await sql<Outcome>`
    select s.listing_ref as listing, m.buyer_owner as winner, ${SETTLED} as settled, m.matched_at as at,
      case when l.negotiable and l.ask > 0 then round(m.price::numeric / l.ask, 6)::float8 end as ratio
    from listings l
      join orders s on s.listing_ref = l.listing_ref and s.side = 'sell'
      join matches m on m.sell_order = s.order_id
      join deals d on d.match_id = m.match_id
    where l.listing_ref = any(${listings as string[]}) and d.state not in ('stopped', 'failed')
    order by m.seq`.execute(db);
  return new Map(rows.map((row) => [row.listing, row]));
}

/** How many lots of the market were bid on, and on how many each of these bidders bid. */
async function lotsOf(
  db: Database,
  labels: ReadonlyMap<string, string>,
  since: Date,
): Promise<{ lotsOf: Record<string, number>; market: number }> {
  const [market, own] = await Promise.all([
    sql<{ lots: string }>`select count(distinct listing_ref)::text as lots from orders
      where side = 'buy' and created_at > ${since}`.execute(db),
    sql<{
      owner: string;
      lots: string;
    }>`select lower(owner) as owner, count(distinct listing_ref)::text as lots
      from orders where side = 'buy' and created_at > ${since} and lower(owner) = any(${[...labels.keys()]})
      group by 1`.execute(db),
  ]);
  return {
    lotsOf: Object.fromEntries(own.rows.map((r) => [labels.get(r.owner) ?? '', Number(r.lots)])),
    market: Number(market.rows[0]?.lots),
  };
}
