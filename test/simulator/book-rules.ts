import { type Bid, priceToBeat } from '../../agents/market/book.ts';
import type { MemoryServer } from './memory/memory-database.ts';
import type { Change, Row } from './memory/rows.ts';

/** The rules that the book of a lot must obey after every commit. */

/** Clocks differ by less than this, and expired orders are ended within it. */
const ROUND_MS = 60_000;

/** @returns the broken rule with its detail; null: none */
export function brokenBookRule(
  server: MemoryServer,
  changes: readonly Change[],
  now: number,
): readonly [string, string] | null {
  const lots = new Set(
    changes
      .filter(({ table }) => table === 'lots' || table === 'orders' || table === 'listings')
      .map(({ before, after }) => (after ?? before)!.asset_key),
  );
  for (const lot of lots) {
    const resting = committed(server, 'orders', lot).filter((o) => o.status === 'resting');
    const bids = resting.filter((o) => o.side === 'buy');
    if (new Set(bids.map((o) => o.handle)).size < bids.length)
      return ['an agent has one bid on a lot', `${lot}: ${bids.map((o) => o.handle).join()}`];
    const wrong = wrongPrice(server, lot, resting, now);
    if (wrong !== null) return ['the price to beat is made by the best of two owners', `${lot}: ${wrong}`];
  }
  for (const { table, before, after } of changes) {
    if (table !== 'matches' || before !== null) continue;
    const [buy] = committed(server, 'orders', after!.asset_key).filter(
      (o) => o.order_id === after!.buy_order,
    );
    const better = committed(server, 'orders', after!.asset_key).find(
      (o) =>
        o.status === 'resting' &&
        o.side === 'buy' &&
        o.owner === buy!.owner &&
        (o.limit_price as bigint) > (buy!.limit_price as bigint) &&
        !isNearItsEnd(o, now),
    );
    if (better) return ['the best of an owner’s bids matches', `${buy!.order_id} before ${better.order_id}`];
  }
  return null;
}

function committed(server: MemoryServer, table: string, lot: unknown): Row[] {
  const rows = [...server.table(table).where('asset_key', lot)].map((cell) => cell.committed);
  return rows.filter((row): row is Row => row?.asset_key === lot);
}

const isNearItsEnd = (order: Row, now: number): boolean =>
  (order.expires_at as Date).getTime() < now + ROUND_MS;

function wrongPrice(server: MemoryServer, lot: unknown, resting: readonly Row[], now: number): string | null {
  const [shown] = committed(server, 'lots', lot);
  const listing = committed(server, 'listings', lot).find((l) => l.status === 'live');
  const sell = resting.find((o) => o.side === 'sell');
  // An expired order sets prices until it is ended.
  if (!shown?.open || !listing || !sell || resting.some((o) => isNearItsEnd(o, now))) return null;
  // A buyer who has a stop with this seller does not count for the price.
  const stops = committed(server, 'stops', lot).filter(
    (s) => s.lifted_at === null && s.seller === sell.owner,
  );
  const bids = resting
    .filter((o) => o.side === 'buy' && !stops.some((s) => s.buyer === o.owner))
    .map(
      (o): Bid => ({
        orderId: o.order_id as string,
        seq: o.seq as bigint,
        owner: o.owner as string,
        limit: o.limit_price as bigint,
        openingBid: (o.opening_bid ?? o.limit_price) as bigint,
      }),
    );
  const price = priceToBeat(listing.ask as bigint, bids, sell.owner as string);
  return price === shown.price_to_beat ? null : `${shown.price_to_beat}, not ${price}`;
}
