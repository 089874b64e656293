import type { Selectable } from 'kysely';
import { type Bid, priceToBeat } from '../../agents/market/book.ts';
import { pricelessBuyers } from '../../agents/market/stops.ts';
import type { Micro } from '../../agents/money.ts';
import { isNameLot } from '../../agents/names/name.ts';
import { type Database, run, type Trx } from '../database.ts';
import { refreshAuction } from '../names/auction-price.ts';
import type { Tables } from '../tables.ts';
import { standingStops } from './stops.ts';

export type LotRow = Selectable<Tables['lots']>;
export type OrderRow = Selectable<Tables['orders']>;

/**
 * Takes the lot's row lock, so that only one matcher works on a lot; everything that changes a book holds it. Locks are
 * taken on the lot first and then on the agent, and never on two lots in one transaction.
 */
export async function lockLot(trx: Trx, assetKey: string): Promise<LotRow | null> {
  const row = await trx
    .selectFrom('lots')
    .selectAll()
    .where('asset_key', '=', assetKey)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The buyers' orders at the front of a lot's book that may match the seller's, price first, then time, however many
 * orders lie behind.
 * @param page.now orders that have expired by then do not count
 * @param page.without beneficial owners, lower case, whose orders are left out
 */
export async function frontBuys(
  db: Database | Trx,
  assetKey: string,
  page: {
    /**
     * Beneficial owners, lower case, whose orders are left out: the seller's own, and buyers who do not count for the
     * price.
     */
    without: readonly string[];
    /** Agents whose orders are left out, and not their owners' others. */
    withoutAgents?: readonly string[];
    now: Date;
    limit: number;
    offset?: number;
    least?: Micro;
  },
): Promise<OrderRow[]> {
  let rows = db
    .selectFrom('orders')
    .selectAll()
    .where('asset_key', '=', assetKey)
    .where('side', '=', 'buy')
    .where('status', '=', 'resting')
    .where('expires_at', '>', page.now);
  if (page.without.length > 0) rows = rows.where('owner', 'not in', page.without);
  if (page.withoutAgents?.length) rows = rows.where('handle', 'not in', page.withoutAgents);
  if (page.least !== undefined) rows = rows.where('limit_price', '>=', page.least);
  return await rows
    .orderBy('limit_price', 'desc')
    .orderBy('seq')
    .limit(page.limit)
    .offset(page.offset ?? 0)
    .execute();
}

export function asBid(row: OrderRow): Bid {
  return {
    orderId: row.order_id,
    seq: row.seq,
    owner: row.owner,
    limit: row.limit_price,
    openingBid: row.opening_bid ?? row.limit_price,
  };
}

/**
 * Writes the lot's price to beat from its resting orders. `updated_at` changes only with the number (or when the lot
 * opens), so that the time of a row reveals no more than the row itself. The caller holds the lot's lock.
 * @param lot.seller the beneficial owner of the seller's order, lower case, whose own bids do not count for the price;
 *   null when there is none
 */
export async function refreshLot(
  trx: Trx,
  lot: { assetKey: string; ask: Micro; seller: string | null; open: boolean },
  now: Date,
): Promise<Micro> {
  const { assetKey, ask, seller } = lot;
  // Names have a market of their own and are not in the book.
  if (isNameLot(assetKey)) {
    await refreshAuction(trx, assetKey);
    return ask;
  }
  // The rule needs only the best bids of the best two owners.
  const front: OrderRow[] = [];
  const priceless = pricelessBuyers(await standingStops(trx, assetKey), seller);
  const without = [...priceless.owners, ...(seller === null ? [] : [seller])];
  const withoutAgents = priceless.agents;
  for (const _ of [1, 2]) {
    const [best] = await frontBuys(trx, assetKey, { without, withoutAgents, now, limit: 1 });
    if (best === undefined) break;
    front.push(best);
    without.push(best.owner);
  }
  const price = priceToBeat(ask, front.map(asBid), seller);
  await trx
    .updateTable('lots')
    .set({ price_to_beat: price, open: lot.open, updated_at: now })
    .where('asset_key', '=', assetKey)
    .where((eb) => eb.or([eb('price_to_beat', '!=', price), eb('open', '!=', lot.open)]))
    .execute();
  return price;
}

/** One row of the public order book. Nothing in it tells whether the price is a limit or an opening bid. */
export interface BookRow {
  readonly lot: string;
  readonly category: string;
  readonly chain: string;
  readonly priceToBeat: Micro;
  readonly updatedAt: Date;
}

/** A place in the list of the book: after the rows of the first page, and after a key among the other rows. */
export interface BookPlace {
  /** The first 12 characters (base64url) of the SHA-256 of each key that was shown. */
  readonly shown: readonly string[];
  /** The last lot of the previous page; empty after the first page. */
  readonly lot: string;
}

/** The rows of the book. Every value is a parameter, so that each of its few texts is parsed and planned once. */
const ROWS = `select asset_key as lot, category, chain, price_to_beat as "priceToBeat", updated_at as "updatedAt"
  from lots where open`;

/** The live book, newest first, or the rows after a place, in the order of their lots' keys; at most `limit` rows. */
export async function listBook(
  db: Database,
  query: {
    category?: string;
    chain?: string;
    lot?: string;
    after?: BookPlace;
    limit: number;
    offset: number;
  },
): Promise<BookRow[]> {
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const { category, chain, lot, after, limit, offset } = query;
  const filters = [
    ...(category === undefined ? [] : [`category = ${parameter(category)}`]),
    ...(chain === undefined ? [] : [`chain = ${parameter(chain)}`]),
    ...(lot === undefined ? [] : [`asset_key = ${parameter(lot)}`]),
  ];
  if (after !== undefined) {
    const shown = after.shown.map((mark) => Buffer.from(mark, 'base64url'));
    filters.push(
      `asset_key > ${parameter(after.lot)}`,
      `substr(sha256(convert_to(asset_key, 'UTF8')), 1, 9) <> all(${parameter(shown)}::bytea[])`,
    );
  }
  const order = after === undefined ? 'updated_at desc, asset_key' : 'asset_key';
  const text = [ROWS, ...filters].join(' and ');
  const page = `order by ${order} limit ${parameter(limit)} offset ${parameter(offset)}`;
  const name = ['book', category && 'category', chain && 'chain', lot && 'lot', after && 'after']
    .filter((part) => part !== undefined)
    .join('-');
  return await run<BookRow>(db, { name, text: `${text} ${page}` }, values);
}
