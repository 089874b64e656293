import { sql } from 'kysely';
import type { BidHistory, BidLot } from '../../../agents/determinations/shill/bid-history.ts';
import { attachedBidders } from '../../../agents/determinations/shill/loyalty.ts';
import type { Side } from '../../../agents/determinations/shill/money-trails.ts';
import type { LotBook } from '../../../agents/determinations/shill/shill-evidence.ts';
import { beneficialOf, walletsOf } from '../../../store/agent/beneficial-owners.ts';
import type { Database } from '../../../store/database.ts';
import type { EvidenceDeps } from '../deps.ts';
import { gatherMoneyTrails } from './bidder-money.ts';
import { ofLargeMarket } from './large-market.ts';
import { gatherHabits } from './market-habits.ts';

const BOOK_DAYS = 90;
const DAY_MS = 86_400_000;
/** More rows than this are not read, and the evidence then says that it is cut off. */
const MAX_BIDS = 5_000;
/** Of a deal, so many of the newest are looked at, and everybody's of the same days: its record holds them. */
const MAX_DEAL_BIDS = 400;
/** A market with so many lots is counted once in a while. */
const MANY_LOTS = 5_000;

interface BidRow {
  readonly listing: string;
  readonly category: string;
  readonly listed_at: Date;
  readonly handle: string | null;
  readonly owner: string | null;
  readonly account: string | null;
  readonly created_at: Date | null;
  readonly by: LotBook['sellerSide'][number]['by'] | null;
}

/**
 * The bidding history of the seller of a lot, how others bid in this market, and where the bidders' money is from; with
 * labels for the bidders and without amounts: who bids how much is private, and this evidence is published.
 * @param lotRef a listing's reference or an asset's key
 * @param seller its handle, account or owner
 * @returns null when there is no such lot here
 */
export async function gatherBook(
  deps: EvidenceDeps,
  { lotRef, seller, now }: { readonly lotRef: string; readonly seller: string; readonly now: Date },
): Promise<LotBook | null> {
  const { db } = deps;
  const listing = await db
    .selectFrom('listings')
    .innerJoin('agents', 'agents.handle', 'listings.handle')
    .select([
      'listing_ref',
      'listings.handle',
      'agents.owner',
      beneficialOf(sql.ref('agents.owner')).as('beneficial_owner'),
      'agents.account',
      'agents.session_key',
      'chain_id',
      'category',
    ])
    .where((eb) => eb.or([eb('listing_ref', '=', lotRef), eb('asset_key', '=', lotRef)]))
    .orderBy('listings.seq', 'desc')
    .executeTakeFirst();
  if (listing === undefined) return null;
  const owner = listing.beneficial_owner;
  const account = listing.account.toLowerCase();
  const addresses = [...new Set([owner, listing.owner.toLowerCase(), account])];
  const names = [listing.handle, ...addresses];
  const { read, labels, history } = await readBids(db, {
    ...{ listingRef: listing.listing_ref, category: listing.category, now },
    seller: { owner, account, sessionKey: listing.session_key.toLowerCase() },
  });
  const side = new Map(
    read.flatMap((r) =>
      r.by === null || r.owner === null ? [] : [[labels.get(r.owner) ?? '', r.by] as const],
    ),
  );
  const money = await gatherMoneyTrails(deps, {
    chainId: listing.chain_id,
    seller: { name: listing.handle, addresses },
    bidders: sidesOf(read, labels, owner),
    attached: attachedBidders(history),
    lotsOf: lotsBidOn(read, labels),
  });
  return {
    listingRef: listing.listing_ref,
    sellerListed: names.includes(seller.toLowerCase()),
    sellerSide: [...side].map(([bidder, by]) => ({ bidder, by })),
    history,
    ...(money === undefined ? {} : { money }),
  };
}

/**
 * The bids on the lots of a deal's seller and in its market, as {@link gatherBook} reads them.
 * @param most bids that are looked at
 * @returns null when there is no such deal here
 */
export async function gatherDealBids(
  db: Database,
  dealId: string,
  now: Date,
  most = MAX_DEAL_BIDS,
): Promise<BidHistory | null> {
  const deal = await db
    .selectFrom('matches as m')
    .innerJoin('orders as s', 's.order_id', 'm.sell_order')
    .innerJoin('listings as l', 'l.listing_ref', 's.listing_ref')
    .innerJoin('agents as a', 'a.handle', 's.handle')
    .select(['l.listing_ref', 'l.category', 'm.seller_owner', 'a.account', 'a.session_key'])
    .where('m.deal_id', '=', dealId)
    .executeTakeFirst();
  if (deal === undefined) return null;
  const { history } = await readBids(db, {
    ...{ listingRef: deal.listing_ref, category: deal.category, now },
    seller: {
      owner: deal.seller_owner,
      account: deal.account.toLowerCase(),
      sessionKey: deal.session_key.toLowerCase(),
    },
    most,
  });
  return history;
}

interface BidsQuestion {
  /** Its lot comes first. */
  readonly listingRef: string;
  readonly category: string;
  /** Its owner is the one who stands behind every account between. */
  readonly seller: { readonly owner: string; readonly account: string; readonly sessionKey: string };
  /** Where there are more bids, only the days are looked at that have no more; else the history is cut off. */
  readonly most?: number;
  readonly now: Date;
}

/**
 * The bids on all lots of an owner's agents, however many accounts lie between, counted together; bidders are counted by
 * their owners, and have labels. The lot in question is among them whoever owns its agent now.
 */
async function readBids(
  db: Database,
  { listingRef, category, seller, most, now }: BidsQuestion,
): Promise<{ read: readonly BidRow[]; labels: ReadonlyMap<string, string>; history: BidHistory }> {
  const { owner, account, sessionKey } = seller;
  const book = new Date(now.getTime() - BOOK_DAYS * DAY_MS);
  const own = walletsOf(owner);
  const { rows } = await sql<BidRow>`
    select l.listing_ref as listing, l.category, l.listed_at, o.handle, lower(o.owner) as owner, lower(a.account) as account,
      o.created_at,
      case when lower(o.owner) = any(${own}) or lower(a.owner) = any(${own}) then 'owner'
        when lower(a.account) = ${account} then 'account'
        when lower(a.session_key) = ${sessionKey} then 'session key' end as by
    from listings l
    left join orders o on o.listing_ref = l.listing_ref and o.side = 'buy'
    left join agents a on a.handle = o.handle
    where l.handle = any(array(
        select handle from agents where lower(owner) = any(${own})
        union select handle from listings where listing_ref = ${listingRef}))
      and (l.listed_at > ${book} or l.listing_ref = ${listingRef})
    order by l.listing_ref = ${listingRef} desc, l.seq desc, o.seq
    limit ${(most ?? MAX_BIDS) + 1}`.execute(db);
  const more = rows.length > (most ?? MAX_BIDS);
  const read = more ? wholeLots(rows, most) : rows;
  const since = more && most !== undefined ? oldestOf(read, book) : book;
  const labels = new Map<string, string>();
  for (const row of read) {
    if (row.owner !== null && !labels.has(row.owner)) labels.set(row.owner, `bidder-${labels.size + 1}`);
  }
  // Habits are those of a category: an agent bids on what its mandate names. Money is looked at across all of them.
  const alike = read.filter((r) => r.category === category);
  const [outcomes, totals, others] = await Promise.all([
    outcomesOf(db, [...new Set(alike.map((r) => r.listing))]),
    lotsOf(db, { labels, category, since, now, kept: since === book }),
    // What is common in a market is told by all of the book, however much of it is one seller's.
    gatherHabits(db, { seller: owner, labels, category, since: book, now }),
  ]);
  const history: BidHistory = {
    bidding: 3,
    days: Math.ceil((now.getTime() - since.getTime()) / DAY_MS),
    lots: lotsIn(alike, labels, outcomes, now),
    ...totals,
    ...others,
    complete: !more || most !== undefined,
  };
  return { read, labels, history };
}

/** Without the lot of which not all bids were read, where that decides of which days they are. */
function wholeLots(rows: readonly BidRow[], most: number | undefined): readonly BidRow[] {
  if (most === undefined) return rows.slice(0, MAX_BIDS);
  const last = rows.at(-1)?.listing;
  const whole = rows.filter(({ listing }) => listing !== last);
  return whole.length > 0 ? whole : rows.slice(0, most);
}

/** When the oldest of these lots was listed; the one in question may be older than the book. */
function oldestOf(rows: readonly BidRow[], book: Date): Date {
  const listed = rows.map((row) => row.listed_at.getTime()).filter((at) => at > book.getTime());
  return listed.length === 0 ? book : new Date(Math.min(...listed) - 1);
}

/** On how many of the seller's lots, of any category, each bidder bid. */
function lotsBidOn(rows: readonly BidRow[], labels: ReadonlyMap<string, string>): Map<string, number> {
  const lots = new Map<string, Set<string>>();
  for (const { owner, listing } of rows) {
    const bidder = owner === null ? undefined : labels.get(owner);
    if (bidder !== undefined) lots.set(bidder, (lots.get(bidder) ?? new Set()).add(listing));
  }
  return new Map([...lots].map(([bidder, on]) => [bidder, on.size]));
}

/** Each bidder with the accounts that bid for it. */
function sidesOf(rows: readonly BidRow[], labels: ReadonlyMap<string, string>, seller: string): Side[] {
  const accounts = new Map<string, Set<string>>();
  for (const { owner, account } of rows) {
    if (owner === null || owner === seller) continue;
    const own = accounts.get(owner) ?? new Set([owner]);
    accounts.set(owner, account === null ? own : own.add(account));
  }
  return [...accounts].map(([owner, own]) => ({ name: labels.get(owner) ?? '', addresses: [...own] }));
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
    select s.listing_ref as listing, m.buyer_owner as winner, m.settled_at is not null as settled, m.matched_at as at,
      case when l.negotiable and l.ask > 0 then round(m.price::numeric / l.ask, 6)::float8 end as ratio
    from listings l
      join orders s on s.listing_ref = l.listing_ref and s.side = 'sell'
      join matches m on m.sell_order = s.order_id
      join deals d on d.match_id = m.match_id
    where l.listing_ref = any(${listings as string[]}) and d.state not in ('stopped', 'failed')
    order by m.seq`.execute(db);
  return new Map(rows.map((row) => [row.listing, row]));
}

/** How many lots of the category were bid on, and on how many each of these bidders bid. */
async function lotsOf(
  db: Database,
  question: {
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
    const { rows } = await sql<{
      lots: string;
    }>`select count(distinct listing_ref)::text as lots from orders
      where side = 'buy' and category = ${category} and created_at > ${since}`.execute(db);
    return Number(rows[0]?.lots);
  };
  const [market, own] = await Promise.all([
    kept ? ofLargeMarket(db, large, counted) : counted(),
    sql<{
      owner: string;
      lots: string;
    }>`select lower(owner) as owner, count(distinct listing_ref)::text as lots from orders
      where side = 'buy' and category = ${category} and created_at > ${since}
        and lower(owner) = any(${[...labels.keys()]})
      group by 1`.execute(db),
  ]);
  return {
    lotsOf: Object.fromEntries(own.rows.map((r) => [labels.get(r.owner) ?? '', Number(r.lots)])),
    market,
  };
}
