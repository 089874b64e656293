import type { Micro } from '../agents/money.ts';
import { type Database, run, type Statement } from './database.ts';
import type { ListingRow } from './listings.ts';
import type { OrderRow } from './lots.ts';
import { type Look, probedSince } from './order-standing.ts';
import { priceWith, reachesSeller, requirePlaceable } from './orders.ts';
import { type Resting, restingValues, restingWrites } from './resting.ts';

/** A buy order that reaches no seller, as it would rest on what was looked at. */
export interface Restable {
  readonly look: Look;
  readonly listing: ListingRow;
  readonly order: Pick<Resting, 'orderId' | 'side' | 'limit' | 'openingBid' | 'expiresAt' | 'nonce'>;
  /** The lot's price to beat with it. */
  readonly priceToBeat: Micro;
}

/**
 * What an order would come to, by a look at what it is judged by.
 * @returns null for one that needs the locks first: a sell order, one that would match, or that finds orders whose time
 *   is over
 * @throws AppError as `placeOrder` of `store/orders.ts` would, judged by the look
 */
export function restable(look: Look, order: Restable['order']): Restable | null {
  const { before, lot, asked } = look;
  if (order.side === 'sell' || before.overdue) return null;
  const listing = requirePlaceable(before, { ...asked, assetKey: lot, side: order.side });
  if (reachesSeller(listing, order.limit)) return null;
  const price = priceWith(before, listing, { ...order, owner: asked.owner });
  return { look, listing, order, priceToBeat: price };
}

/** Everything in one statement: the locks, what is found under them, and only where that is the same, all that is written. */
const REST_AT_ONCE: Statement = {
  name: 'rest-order-at-once',
  text: `
    with stands as materialized (
      select is_as_looked($5, $2, $3, $10, $14, $15, $16, $17) as same
    ), ${restingWrites('(select same from stands)')}
    select * from placed`,
};

/**
 * Rests an order that was judged by a look, in one statement that is its own transaction.
 * @returns null, and nothing is written, when anything it was judged by is another now or its signature was used
 */
export async function restAtOnce(db: Database, rest: Restable): Promise<OrderRow | null> {
  const { look, listing, order, priceToBeat } = rest;
  const { handle, owner, now, probes } = look.asked;
  const resting = { ...order, handle, owner, now, assetKey: look.lot };
  const looked = [probedSince(now), probes, look.seen, look.digest];
  const values = [...restingValues(listing, resting, priceToBeat), ...looked];
  return (await run<OrderRow>(db, REST_AT_ONCE, values))[0] ?? null;
}
