import { sql } from 'kysely';
import type { BidHistory, BidLot } from '../../../../agents/determinations/shill/bid-history.ts';
import { ENOUGH_LOTS } from '../../../../agents/determinations/shill/bid-rings.ts';
import { walletsOf } from '../../../../store/agent/beneficial-owners.ts';
import type { Database } from '../../../../store/database.ts';
import { isMovingBid } from '../../../../store/market/moving-bids.ts';
import { countLots } from './lots-bid-on.ts';
import { gatherHabits } from './market-habits.ts';

const BOOK_DAYS = 90;
const DAY_MS = 86_400_000;
/** More bidders than this, counted on each lot, are not read, and the evidence then says that it is cut off. */
const MAX_BIDDERS = 5_000;
/** Of one bidder on one lot, so many of the first bids and of the last: however many it placed, it is one bidder. */
const BIDS_KEPT = 3;
/** Where not all of a seller's lots are read, a habit would still be seen on so many. */
const LOTS_SEEN = 2 * ENOUGH_LOTS;

export interface BidRow {
  readonly listing: string;
  readonly category: string;
  readonly listed_at: Date;
  readonly handle: string | null;
  readonly owner: string | null;
  readonly account: string | null;
  readonly created_at: Date | null;
  readonly by: 'owner' | 'account' | 'session key' | null;
  /** The same for all bids of one bidder on one lot: in this order they are read, those on the lot in question first. */
  readonly pair: number;
  /** How many of the seller's lots were bid on. */
  readonly live: number;
}

interface BidsQuestion {
  /** Its lot comes first. */
  readonly listingRef: string;
  readonly category: string;
  /** Its owner is the one who stands behind every account between. */
  readonly seller: { readonly owner: string; readonly account: string; readonly sessionKey: string };
  /** Where more bid, only the days are looked at in which no more did; else the history is cut off. */
  readonly most?: number;
  readonly now: Date;
}

/**
 * The bids on all lots of an owner's agents, however many accounts lie between, counted together; bidders are counted by
 * their owners, and have labels. The lot in question is among them whoever owns its agent now.
 */
export async function readBids(
  db: Database,
  { listingRef, category, seller, most, now }: BidsQuestion,
): Promise<{ read: readonly BidRow[]; labels: ReadonlyMap<string, string>; history: BidHistory }> {
  const { owner, account, sessionKey } = seller;
  const book = new Date(now.getTime() - BOOK_DAYS * DAY_MS);
  const own = walletsOf(owner);
  const limit = most ?? MAX_BIDDERS;
  const { rows } = await sql<BidRow>`
    with bids as materialized (
      select l.listing_ref as listing, l.seq as listed, l.category, l.listed_at, o.*
      from listings l left join lateral (
        select o.handle, lower(o.owner) as owner, lower(a.account) as account, o.created_at, o.seq as placed,
          -- Whose agent it was when it bid: anybody may send a seller an agent that bid on its lots before.
          case when lower(o.owner) = any(${own}) then 'owner'
            when lower(a.account) = ${account} then 'account'
            when lower(a.session_key) = ${sessionKey} then 'session key' end as by,
          ${isMovingBid} as counts
        from orders o join agents a on a.handle = o.handle
        where o.listing_ref = l.listing_ref and o.side = 'buy'
      ) o on o.counts or o.by is not null
      where l.handle = any(array(
          select handle from agents where lower(owner) = any(${own})
          union select handle from listings where listing_ref = ${listingRef}))
        and (l.listed_at > ${book} or l.listing_ref = ${listingRef})
    ), ranked as (
      select bids.*,
        -- Lots that nobody bid on come last: any number of them hides nothing.
        dense_rank() over (order by listing = ${listingRef} desc, owner is null, listed desc, owner)::int as pair,
        row_number() over (partition by listing, owner order by placed) as nth,
        row_number() over (partition by listing, owner order by placed desc) as nth_last
      from bids
    )
    select listing, category, listed_at, handle, owner, account, created_at, by, pair,
      (select count(distinct listing)::int from bids where owner is not null) as live
    from ranked where pair <= ${limit + 1} and (nth <= ${BIDS_KEPT} or nth_last <= ${BIDS_KEPT})
    order by listing = ${listingRef} desc, listed desc, placed`.execute(db);
  const { read, complete, ofDays } = cutOff(rows, limit, most !== undefined);
  const since = ofDays ? oldestOf(read, listingRef, book) : book;
  const labels = new Map<string, string>();
  for (const row of read) {
    if (row.owner !== null && !labels.has(row.owner)) labels.set(row.owner, `bidder-${labels.size + 1}`);
  }
  // Habits are those of a category: an agent bids on what its mandate names. Money is looked at across all of them.
  const inCategory = read.filter((r) => r.category === category);
  const listings = [...new Set(inCategory.map((r) => r.listing))];
  const [outcomes, kept, totals, others] = await Promise.all([
    outcomesOf(db, listings),
    keptFromWinning(db, listings),
    countLots(db, { labels, category, since, now, kept: since === book }),
    // What is common in a market is told by all of the book, however much of it is one seller's.
    gatherHabits(db, { seller: owner, labels, category, since: book, now }),
  ]);
  const neither = inCategory.filter(
    ({ listing, owner }) =>
      owner !== null && kept.has(`${listing} ${owner}`) && outcomes.get(listing)?.winner !== owner,
  );
  const alike = inCategory.map((row) => (neither.includes(row) ? { ...row, owner: null } : row));
  const history: BidHistory = {
    bidding: 5,
    days: Math.ceil((now.getTime() - since.getTime()) / DAY_MS),
    lots: lotsIn(alike, labels, outcomes, now),
    market: totals.market,
    lotsOf: without(totals.lotsOf, neither, labels),
    ...others,
    complete,
  };
  return { read, labels, history };
}

/**
 * Without the lot of which not all bidders were read, where that decides of which days the lots are: complete is then what
 * has lots enough to show a habit, or is of a seller with too few to show any.
 */
function cutOff(
  rows: readonly BidRow[],
  limit: number,
  byDays: boolean,
): { readonly read: readonly BidRow[]; readonly complete: boolean; readonly ofDays: boolean } {
  const beyond = rows.find(({ pair }) => pair > limit);
  const within = rows.filter(({ pair }) => pair <= limit);
  if (beyond === undefined || beyond.owner === null) return { read: within, complete: true, ofDays: false };
  if (!byDays) return { read: within, complete: false, ofDays: false };
  const whole = within.filter(({ listing }) => listing !== beyond.listing);
  const read = whole.length > 0 ? whole : within;
  const seen = new Set(read.map(({ listing }) => listing)).size;
  return { read, complete: seen >= LOTS_SEEN || beyond.live < ENOUGH_LOTS, ofDays: true };
}

/** When the oldest of these lots was listed; the one in question may be older than all that was read. */
function oldestOf(rows: readonly BidRow[], listingRef: string, book: Date): Date {
  const others = rows.filter(({ listing }) => listing !== listingRef);
  const listed = (others.length > 0 ? others : rows)
    .map((row) => row.listed_at.getTime())
    .filter((at) => at > book.getTime());
  return listed.length === 0 ? book : new Date(Math.min(...listed) - 1);
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

/**
 * Whose deals over these listings a finding stopped by itself, by listing and owner. They would have bought, and did not
 * lose: were they taken for bidders in vain, one accusation would make the next. What others bid there counts. So does what
 * a bidder's owner was asked about and did not take, and what he had stopped though nobody was accused: a shill, too, may
 * choose either. What was found tells it, with what that caused: a stop is written for an asking, too.
 */
async function keptFromWinning(db: Database, listings: readonly string[]): Promise<ReadonlySet<string>> {
  if (listings.length === 0) return new Set();
  const { rows } = await sql<{ listing: string; buyer: string }>`
    select distinct s.listing_ref as listing, m.buyer_owner as buyer
    from orders s join matches m on m.sell_order = s.order_id join deals d on d.match_id = m.match_id
    where s.listing_ref = any(${listings as string[]}) and s.side = 'sell' and d.state = 'stopped'
      and exists (select from jsonb_array_elements(d.findings) f
        where f->>'effect' = 'stop' and (f->>'verdict' = 'FLAGGED' or f->>'side' = 'seller')
          and f->>'determination' in
            ('wallet', 'shill-collusion', 'double-pledge', 'provenance', 'price-intelligence'))`.execute(db);
  return new Set(rows.map(({ listing, buyer }) => `${listing} ${buyer}`));
}

/** On how many lots each bid, without those of these rows. */
function without(
  lotsOf: Readonly<Record<string, number>>,
  rows: readonly BidRow[],
  labels: ReadonlyMap<string, string>,
): Record<string, number> {
  const left = { ...lotsOf };
  for (const pair of new Set(rows.map(({ listing, owner }) => `${listing} ${owner}`))) {
    const label = labels.get(pair.slice(pair.lastIndexOf(' ') + 1)) ?? '';
    left[label] = (left[label] ?? 1) - 1;
  }
  return Object.fromEntries(Object.entries(left).filter(([, lots]) => lots > 0));
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
