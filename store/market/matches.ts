import { clearingPrice, type Offer, overlapping } from '../../agents/market/book.ts';
import { moneyOf } from '../../agents/market/pricing/fees.ts';
import type { Micro } from '../../agents/money.ts';
import { type AgentRow, findAgents } from '../agent/agents.ts';
import { type Database, run, type Statement, type Trx } from '../database.ts';
import type { DealState } from '../tables.ts';
import type { ListingRow } from './listings.ts';
import { asBid, frontBuys, type OrderRow } from './lots.ts';

/** What is known about an order of a pair. The buyer's order may not be placed yet. */
export type PairedOrder = Pick<
  OrderRow,
  'order_id' | 'handle' | 'owner' | 'category' | 'listing_ref' | 'limit_price'
>;

/** A pair that overlaps, before it becomes a match. */
export interface Pair {
  readonly sell: PairedOrder;
  readonly buy: PairedOrder;
  readonly price: Micro;
}

/** A pair of resting orders. */
export interface RestingPair extends Pair {
  readonly sell: OrderRow;
  readonly buy: OrderRow;
}

/** The agents of a pair's orders. */
export interface PairAgents {
  readonly seller: AgentRow;
  readonly buyer: AgentRow;
}

/**
 * Whether a pair may match at this price; everything that screens pairs does so here. It runs within the transaction
 * that writes the match, and must not read a chain there. The orders of a refused pair stay on the book. The agents are
 * read where they were not in that transaction.
 */
export type Allows = (pair: RestingPair, agents?: PairAgents) => boolean | Promise<boolean>;

export interface Match {
  readonly matchId: string;
  readonly dealId: string;
  readonly lot: string;
  readonly price: Micro;
  readonly fee: Micro;
  readonly sellOrder: string;
  readonly buyOrder: string;
  /** Handles. */
  readonly seller: string;
  readonly buyer: string;
}

export interface MatchIds {
  readonly matchId: string;
  readonly dealId: string;
}

/** The seller's resting order of a listing. */
export async function restingSell(trx: Database | Trx, listingRef: string): Promise<OrderRow | null> {
  const row = await trx
    .selectFrom('orders')
    .selectAll()
    .where('listing_ref', '=', listingRef)
    .where('side', '=', 'sell')
    .where('status', '=', 'resting')
    .executeTakeFirst();
  return row ?? null;
}

/** Whether all these agents may trade. */
export async function areActive(trx: Trx, handles: readonly string[]): Promise<boolean> {
  const rows = await trx
    .selectFrom('agents')
    .select('handle')
    .where('handle', 'in', handles)
    .where('status', '=', 'active')
    .execute();
  return rows.length === new Set(handles).size;
}

/**
 * Makes the match in the book of a live listing, if there is one: price first, then time, never two orders of one
 * owner, both agents active, the pair allowed. It writes both orders, the match, the deal, the buyer's reduced
 * reservation and the listing's state. The caller holds the lot's lock and refreshes the lot afterwards.
 * @param only the buy order that was just placed and may match now; without it, any
 */
export async function fireMatch(
  trx: Trx,
  listing: ListingRow,
  options: { ids: MatchIds; allows: Allows; only?: OrderRow; now: Date },
): Promise<Match | null> {
  const { ids, now, only, allows } = options;
  const sell = await restingSell(trx, listing.listing_ref);
  if (!sell) return null;
  const pairs = only ? pairOf(listing, sell, only) : overlappingPairs(trx, listing, sell, now);
  for await (const pair of pairs) {
    const [seller, buyer] = await findAgents(trx, [pair.sell.handle, pair.buy.handle]);
    if (seller?.status !== 'active' || buyer?.status !== 'active') continue;
    if (await allows(pair, { seller, buyer })) return await writeMatch(trx, listing, pair, ids, now);
  }
  return null;
}

/** The pair of two orders, if they overlap. */
function* pairOf(listing: Pick<ListingRow, 'ask' | 'negotiable'>, sell: OrderRow, buy: OrderRow) {
  const offer: Offer = { orderId: sell.order_id, owner: sell.owner, limit: sell.limit_price };
  for (const bid of overlapping(offer, [asBid(buy)]))
    yield { sell, buy, price: clearingPrice(listing, offer, bid) };
}

/** How many orders are read at once; the first one is nearly always enough. */
const PAGE = 8;

/**
 * The pairs of a seller's order with the book of its listing, best first, with only the best order of each buyer's
 * owner.
 * @param sell an order that rests, or one that is not placed yet
 */
export async function* overlappingPairs<Sell extends PairedOrder>(
  db: Database | Trx,
  listing: Pick<ListingRow, 'asset_key' | 'ask' | 'negotiable'>,
  sell: Sell,
  now: Date,
): AsyncGenerator<Pair & { readonly sell: Sell; readonly buy: OrderRow }> {
  const offer: Offer = { orderId: sell.order_id, owner: sell.owner, limit: sell.limit_price };
  const front = { without: [sell.owner], least: sell.limit_price, limit: PAGE, now };
  const owners = new Set<string>();
  for (let offset = 0; ; offset += PAGE) {
    const rows = await frontBuys(db, listing.asset_key, { ...front, offset });
    for (const buy of rows) {
      if (owners.has(buy.owner)) continue;
      owners.add(buy.owner);
      const [bid] = overlapping(offer, [asBid(buy)]);
      if (bid) yield { sell, buy, price: clearingPrice(listing, offer, bid) };
    }
    if (rows.length < PAGE) return;
  }
}

const MATCH: Statement = {
  name: 'write-match',
  text: `
    with taken as (
      update orders set status = 'matched', left_at = $16 where order_id in ($7, $10)
    ), dealing as (
      update listings set status = 'dealing' where listing_ref = $6
    ), dealt as (
      insert into deals (deal_id, match_id, seller, buyer, price, fee, created_at, updated_at)
      values ($2, $1, $9, $12, $13, $14, $16, $16)
    ), reduced as (
      -- A match needs its price, not the limit: what is over is free again.
      update reservations set amount = $15, updated_at = $16 where order_id = $10 and state = 'held' and amount >= $15
    )
    -- Told before what follows from it.
    insert into matches (match_id, deal_id, asset_key, category, chain, sell_order, buy_order, seller_owner,
      buyer_owner, price, matched_at)
    values ($1, $2, $3, $4, $5, $7, $10, $8, $11, $13, $16)`,
};

/**
 * Writes the match of a pair: both orders, the match, the deal with its fees, the buyer's reservation and the listing's
 * state. The caller holds the lot's lock and has checked that the pair may match.
 */
export async function writeMatch(
  trx: Trx,
  listing: ListingRow,
  { sell, buy, price }: Pair,
  ids: MatchIds,
  now: Date,
): Promise<Match> {
  const { fee, buyerPays } = moneyOf(listing.asset_key, price);
  const about = [listing.asset_key, listing.category, listing.chain, listing.listing_ref];
  const sides = [sell.order_id, sell.owner, sell.handle, buy.order_id, buy.owner, buy.handle];
  await run(trx, MATCH, [ids.matchId, ids.dealId, ...about, ...sides, price, fee, buyerPays, now]);
  return {
    ...ids,
    lot: listing.asset_key,
    price,
    fee,
    sellOrder: sell.order_id,
    buyOrder: buy.order_id,
    seller: sell.handle,
    buyer: buy.handle,
  };
}

/** The state of a match's deal: open, settled on chain, or over without a valid settlement. */
export type MatchState = 'settling' | 'settled' | 'stopped';

/** A public match: its clearing price, and never the limits. */
export interface MatchEntry {
  readonly state: MatchState;
  readonly matchId: string;
  readonly lot: string;
  readonly category: string;
  readonly chain: string;
  readonly price: Micro;
  readonly matchedAt: Date;
  readonly settledAt: Date | null;
  readonly tx: string | null;
}

/** Newest first, at most `limit` rows. */
export async function listMatches(
  db: Database,
  query: {
    category?: string;
    chain?: string;
    lot?: string;
    /** Begins after this match, whatever has matched since. */
    after?: string;
    limit: number;
    offset: number;
  },
): Promise<MatchEntry[]> {
  let rows = db
    .selectFrom('matches')
    .innerJoin('deals', 'deals.match_id', 'matches.match_id')
    .select([
      'matches.match_id',
      'matches.asset_key',
      'matches.category',
      'matches.chain',
      'matches.price',
      'matches.matched_at',
      'matches.settled_at',
      'matches.tx',
      'deals.state',
    ]);
  if (query.category !== undefined) rows = rows.where('matches.category', '=', query.category);
  if (query.chain !== undefined) rows = rows.where('matches.chain', '=', query.chain);
  if (query.lot !== undefined) rows = rows.where('matches.asset_key', '=', query.lot);
  if (query.after !== undefined) {
    rows = rows.where(
      'matches.seq',
      '<',
      db.selectFrom('matches as m').select('m.seq').where('m.match_id', '=', query.after),
    );
  }
  const found = await rows.orderBy('matches.seq', 'desc').limit(query.limit).offset(query.offset).execute();
  return found.map((r) => ({
    matchId: r.match_id,
    lot: r.asset_key,
    category: r.category,
    chain: r.chain,
    price: r.price,
    matchedAt: r.matched_at,
    settledAt: r.settled_at,
    tx: r.tx,
    state: stateOf(r.settled_at, r.state),
  }));
}

function stateOf(settledAt: Date | null, deal: DealState): MatchState {
  if (settledAt !== null) return 'settled';
  return deal === 'stopped' || deal === 'failed' ? 'stopped' : 'settling';
}
