import { clearingPrice, type Offer, overlapping } from '../agents/market/book.ts';
import { moneyOf } from '../agents/market/fees.ts';
import type { Micro } from '../agents/money.ts';
import type { Database, Trx } from './database.ts';
import type { ListingRow } from './listings.ts';
import { asBid, frontBuys, type OrderRow } from './lots.ts';
import { reduceReservation } from './reservations.ts';

/** A pair that overlaps, before it becomes a match. */
export interface Pair {
  readonly sell: OrderRow;
  readonly buy: OrderRow;
  readonly price: Micro;
}

/** Whether both sides' mandates allow this very pair at this price. A pair that is refused goes on resting. */
export type Allows = (pair: Pair) => boolean | Promise<boolean>;

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

/** The seller's order that rests on a listing. */
export async function restingSell(trx: Trx, listingRef: string): Promise<OrderRow | null> {
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
 * Fires the match that the book of a live listing holds, if any: price first, then time, never two orders of one
 * owner, both agents active, both mandates willing. Writes both orders, the match, the deal, the buyer's reduced
 * reservation and the listing's state. The caller holds the lot's lock and refreshes the lot afterwards.
 * @param only the buy order that may match now, as it was just rested; without it, any
 */
export async function fireMatch(
  trx: Trx,
  listing: ListingRow,
  options: { ids: MatchIds; allows: Allows; only?: OrderRow; now: Date },
): Promise<Match | null> {
  const { ids, now } = options;
  const sell = await restingSell(trx, listing.listing_ref);
  if (!sell) return null;
  const offer: Offer = { orderId: sell.order_id, owner: sell.owner, limit: sell.limit_price };
  for await (const buy of willing(trx, sell, options.only ?? null)) {
    const [bid] = overlapping(offer, [asBid(buy)]);
    if (!bid) continue;
    const price = clearingPrice(listing, offer, bid);
    if (!(await areActive(trx, [sell.handle, buy.handle]))) continue;
    if (!(await options.allows({ sell, buy, price }))) continue;
    return await writeMatch(trx, listing, { sell, buy, price }, ids, now);
  }
  return null;
}

/** How many are read at once: the first is nearly always the one. */
const PAGE = 8;

/** Buyers who would pay what the seller wants, best first. Nothing rests or leaves meanwhile: the caller holds the lot. */
async function* willing(
  trx: Trx,
  { asset_key, owner: seller, limit_price: least }: OrderRow,
  only: OrderRow | null,
): AsyncGenerator<OrderRow> {
  if (only !== null) {
    if (only.limit_price >= least) yield only;
    return;
  }
  for (let offset = 0; ; offset += PAGE) {
    const rows = await frontBuys(trx, asset_key, { seller, least, limit: PAGE, offset });
    yield* rows;
    if (rows.length < PAGE) return;
  }
}

/**
 * Writes the match of a pair: both orders, the match, the deal with its fees, the buyer's reservation and the listing's
 * state. The caller holds the lot's lock and has seen that the pair may match.
 */
export async function writeMatch(
  trx: Trx,
  listing: ListingRow,
  { sell, buy, price }: Pair,
  ids: MatchIds,
  now: Date,
): Promise<Match> {
  const { fee, buyerPays } = moneyOf(listing.asset_key, price);
  await trx
    .updateTable('orders')
    .set({ status: 'matched', left_at: now })
    .where('order_id', 'in', [sell.order_id, buy.order_id])
    .execute();
  await trx
    .insertInto('matches')
    .values({
      match_id: ids.matchId,
      deal_id: ids.dealId,
      asset_key: listing.asset_key,
      category: listing.category,
      chain: listing.chain,
      sell_order: sell.order_id,
      buy_order: buy.order_id,
      price,
      matched_at: now,
      settled_at: null,
      tx: null,
    })
    .execute();
  await trx
    .insertInto('deals')
    .values({
      deal_id: ids.dealId,
      match_id: ids.matchId,
      seller: sell.handle,
      buyer: buy.handle,
      price,
      fee,
      state: 'determining',
      deadline: null,
      tx: null,
      reason: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await reduceReservation(trx, buy.order_id, buyerPays, now);
  await trx
    .updateTable('listings')
    .set({ status: 'dealing' })
    .where('listing_ref', '=', listing.listing_ref)
    .execute();
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

/** A public match: its clearing price, never the limits. */
export interface MatchEntry {
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
    .select(['match_id', 'asset_key', 'category', 'chain', 'price', 'matched_at', 'settled_at', 'tx']);
  if (query.category !== undefined) rows = rows.where('category', '=', query.category);
  if (query.chain !== undefined) rows = rows.where('chain', '=', query.chain);
  if (query.lot !== undefined) rows = rows.where('asset_key', '=', query.lot);
  if (query.after !== undefined) {
    rows = rows.where(
      'seq',
      '<',
      db.selectFrom('matches as m').select('m.seq').where('m.match_id', '=', query.after),
    );
  }
  const found = await rows.orderBy('seq', 'desc').limit(query.limit).offset(query.offset).execute();
  return found.map((r) => ({
    matchId: r.match_id,
    lot: r.asset_key,
    category: r.category,
    chain: r.chain,
    price: r.price,
    matchedAt: r.matched_at,
    settledAt: r.settled_at,
    tx: r.tx,
  }));
}
