import { NO_BLOCK } from '../../../store/booked-blocks.ts';
import { bySerial, find, insertNew, later, type Params, seen, time } from './raw-rows.ts';
import { lock, type Row, requireFree, visible, write } from './rows.ts';
import type { Place } from './statements.ts';

/** What an order is judged by and how it is rested, as `store/order-standing.ts` and `store/orders.ts` write them. */

const sum = (rows: readonly Row[], column: string): bigint =>
  rows.reduce((all, row) => all + (row[column] as bigint), 0n);

function rowsOf(place: Place, table: string, column: string, value: unknown): Row[] {
  return [...seen(place, place.table(table), column, value)].map(({ row }) => row);
}

const holds = (place: Place, handle: unknown): Row[] =>
  rowsOf(place, 'reservations', 'handle', handle).filter((r) => r.state === 'held');

const BOOKED: ReadonlySet<string> = new Set(['settled', 'recorded']);
const lastBlock = (deals: readonly Row[]): bigint | null =>
  deals
    .map((d) => (d.settled_block as bigint | null) ?? NO_BLOCK)
    .reduce<bigint | null>((last, block) => (last === null || block > last ? block : last), null);

const mandateOf = (place: Place, handle: unknown): Row | undefined =>
  rowsOf(place, 'mandates', 'handle', handle).find((m) => m.status === 'active');

export function orderOutset(place: Place, [handle, listingRef]: Params): Row[] {
  const agent = find(place, 'agents', 'handle', handle)?.row;
  if (!agent) return [];
  return [
    {
      ...agent,
      lot: find(place, 'listings', 'listing_ref', listingRef)?.row.asset_key ?? null,
      in_force: mandateOf(place, handle)?.version ?? null,
    },
  ];
}

export function beforeOrder(place: Place, [lot, handle, ...params]: Params): Row[] {
  const found = find(place, 'lots', 'asset_key', lot);
  if (found) lock(found.cell, place.trx);
  const agent = found && find(place, 'agents', 'handle', handle);
  if (agent) lock(agent.cell, place.trx);
  return standing(place, [lot, handle, ...params]);
}

/** Of everything that was seen; two that are alike are alike in it. */
const digestOf = (row: Row): string =>
  JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));

export function lookBeforeOrder(place: Place, [listingRef, ...params]: Params): Row[] {
  const lot = find(place, 'listings', 'listing_ref', listingRef)?.row.asset_key;
  if (lot === undefined) return [];
  return standing(place, [lot, ...params]).map((row) => ({ ...row, lot, seen: '', digest: digestOf(row) }));
}

export function restOrderAtOnce(place: Place, params: Params): Row[] {
  const [, handle, owner, , lot, , , , , now] = params;
  const [since, probes, , digest] = params.slice(13);
  const [row] = beforeOrder(place, [lot, handle, owner, now, since, probes]);
  return row && digestOf(row) === digest ? restOrder(place, params.slice(0, 13)) : [];
}

function standing(place: Place, [lot, handle, owner, now, since, probes]: Params): Row[] {
  const { trx } = place;
  if (!find(place, 'lots', 'asset_key', lot)) return [];
  const agent = find(place, 'agents', 'handle', handle);
  const listing = rowsOf(place, 'listings', 'asset_key', lot).find(
    (l) => l.status === 'live' || l.status === 'dealing',
  );
  const onLot = rowsOf(place, 'orders', 'asset_key', lot);
  const resting = onLot.filter((o) => o.status === 'resting');
  const sell = resting.find((o) => o.side === 'sell' && o.listing_ref === listing?.listing_ref);
  const bids = resting
    .filter((o) => o.side === 'buy' && o.owner !== sell?.owner)
    .sort((a, b) => Number((b.limit_price as bigint) - (a.limit_price as bigint)) || bySerial('seq')(a, b));
  const held = holds(place, handle);
  const deals = [...place.table('deals').cells]
    .map((cell) => visible(cell, trx))
    .filter((d) => d !== null)
    .filter((d) => (d.seller === handle || d.buyer === handle) && !/^(?:stopped|failed)$/.test(`${d.state}`))
    .map((d): Row => ({ ...find(place, 'matches', 'match_id', d.match_id)!.row, ...d }));
  const after = (days: number) => (d: Row) =>
    time(d.matched_at) > time(later(now as Date, -days * 86_400_000));
  const month = Date.UTC((now as Date).getUTCFullYear(), (now as Date).getUTCMonth(), 1);
  const sold = deals.filter((d) => d.seller === handle);
  const mandate = mandateOf(place, handle);
  return [
    {
      ...(listing ?? { listing_ref: null }),
      agent_status: agent?.row.status ?? null,
      agent_epoch: agent?.row.epoch ?? null,
      overdue: resting.some((o) => time(o.expires_at) <= time(now)),
      probed: onLot
        .filter((o) => o.owner === owner && time(o.created_at) > time(since))
        .map((o) => o.created_at as Date)
        .sort((a, b) => time(b) - time(a))
        .slice(0, probes as number),
      held: sum(held, 'amount'),
      booked_block: lastBlock(deals.filter((d) => d.buyer === handle && BOOKED.has(`${d.state}`))),
      resting: rowsOf(place, 'orders', 'handle', handle).filter((o) => o.status === 'resting').length,
      dealt: deals.length,
      dealt_today: deals.filter(after(1)).length,
      sold_day: sum(sold.filter(after(1)), 'price'),
      sold_week: sum(sold.filter(after(7)), 'price'),
      sold_month: sum(
        sold.filter((d) => time(d.matched_at) >= month),
        'price',
      ),
      sold_total: sum(sold, 'price'),
      in_force: mandate?.version ?? null,
      structured: mandate?.structured ?? null,
      best_limit: bids[0]?.limit_price ?? null,
      best_opening: bids[0]?.opening_bid ?? bids[0]?.limit_price ?? null,
      second_limit: bids[1]?.limit_price ?? null,
      seller_owner: sell?.owner ?? null,
    },
  ];
}

export function restOrder(place: Place, params: Params): Row[] {
  const [orderId, handle, owner, side, lot, ref, category, limit, opening, now, expiresAt, price] = params;
  const market = find(place, 'lots', 'asset_key', lot);
  // What may have to be waited for comes before anything is written.
  if (market) requireFree(market.cell, place.trx);
  const order = insertNew(place, 'orders', [], {
    order_id: orderId,
    handle,
    owner,
    side,
    asset_key: lot,
    listing_ref: ref,
    category,
    limit_price: limit,
    opening_bid: opening,
    status: 'resting',
    created_at: now,
    expires_at: expiresAt,
    left_at: null,
  })!;
  if (side === 'buy') {
    const holding = { order_id: orderId, handle, amount: limit, state: 'held', updated_at: now };
    insertNew(place, 'reservations', [], holding);
  }
  if (market && price !== null && (market.row.price_to_beat !== price || !market.row.open)) {
    write(market.cell, place.trx, { ...market.row, price_to_beat: price, open: true, updated_at: now });
  }
  return [order];
}
