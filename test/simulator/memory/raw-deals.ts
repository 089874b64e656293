import { find, insertNew, type Params, requireNoConflict, seen } from './raw-rows.ts';
import { lock, type Row, requireFree, write } from './rows.ts';
import type { Place } from './statements.ts';

/** How a match is made and a listing ends, as `store/market` and `store/deal/closings.ts` write it. */

type Change = readonly [table: string, column: string, value: unknown, to: (row: Row) => Row | null];

const ON_HAND: ReadonlySet<unknown> = new Set(['resting', 'unfunded']);

/** Changes rows as one statement does: everything that may have to wait comes before the first write. */
function change(place: Place, changes: readonly Change[]): void {
  const found = changes.flatMap(([table, column, value, to]) =>
    [...seen(place, place.table(table), column, value)].flatMap(({ cell, row }) => {
      const next = to(row);
      return next === null ? [] : [{ cell, next }];
    }),
  );
  for (const { cell } of found) requireFree(cell, place.trx);
  for (const { cell, next } of found) write(cell, place.trx, next);
}

const all =
  (set: Row) =>
  (row: Row): Row => ({ ...row, ...set });
const only =
  (is: (row: Row) => boolean, set: Row | ((row: Row) => Row)) =>
  (row: Row): Row | null =>
    is(row) ? { ...row, ...(typeof set === 'function' ? set(row) : set) } : null;

export function writeMatch(place: Place, params: Params): Row[] {
  const [
    matchId,
    dealId,
    lot,
    category,
    chain,
    listing,
    sell,
    sellOwner,
    seller,
    buy,
    buyOwner,
    buyer,
    ...rest
  ] = params;
  const [price, fee, pays, now] = rest;
  const match = {
    ...{
      match_id: matchId,
      deal_id: dealId,
      asset_key: lot,
      category,
      chain,
      sell_order: sell,
      buy_order: buy,
    },
    ...{ seller_owner: sellOwner, buyer_owner: buyOwner, price, matched_at: now },
    ...{ settled_at: null, tx: null },
  };
  const deal = {
    deal_id: dealId,
    match_id: matchId,
    seller,
    buyer,
    price,
    fee,
    created_at: now,
    updated_at: now,
  };
  requireNoConflict(place, 'matches', ['match_id'], match);
  requireNoConflict(place, 'deals', ['deal_id'], deal);
  const matched = all({ status: 'matched', left_at: now });
  const isMore = (r: Row) => r.state === 'held' && (r.amount as bigint) >= (pays as bigint);
  change(place, [
    ['orders', 'order_id', sell, matched],
    ['orders', 'order_id', buy, matched],
    ['reservations', 'order_id', buy, only(isMore, { amount: pays, updated_at: now })],
    ['listings', 'listing_ref', listing, all({ status: 'dealing' })],
  ]);
  insertNew(place, 'matches', [], match);
  insertNew(place, 'deals', [], deal);
  return [];
}

export function endOrders(place: Place, [lot, ids, status, now]: Params): Row[] {
  const gone = [...seen(place, place.table('orders'), 'asset_key', lot)]
    .map(({ row }) => row)
    .filter((o) => ON_HAND.has(o.status) && (ids as readonly unknown[]).includes(o.order_id));
  change(place, [
    ...gone.map(({ order_id }): Change => ['orders', 'order_id', order_id, left(status, now)]),
    ...freed(gone, now),
  ]);
  return gone.map(({ order_id, side }) => ({ order_id, side }));
}

const left = (status: unknown, now: unknown) => (o: Row) => ({
  ...o,
  status,
  left_at: o.status === 'resting' ? now : o.left_at,
});

const freed = (orders: readonly Row[], now: unknown): Change[] =>
  orders.map(({ order_id }) => [
    'reservations',
    'order_id',
    order_id,
    only((r) => r.state === 'held', { state: 'released', updated_at: now }),
  ]);

function closing(place: Place, [ref, lot, handle, token, status, now, until]: Params): Change[] {
  const gone = [...seen(place, place.table('orders'), 'asset_key', lot)]
    .map(({ row }) => row)
    .filter((o) => ON_HAND.has(o.status));
  const stands = (l: Row) => l.status === 'unpaid' || l.status === 'live' || l.status === 'dealing';
  const isPledged = (p: Row) => p.source === 'listing' && p.released_at === null;
  return [
    ['listings', 'listing_ref', ref, only(stands, { status })],
    ['chain_listings', 'handle', handle, only((c) => c.token_key === token, { over_at: until })],
    ['pledges', 'listing_ref', ref, only(isPledged, { released_at: now })],
    ...gone.map(({ order_id }): Change => ['orders', 'order_id', order_id, left('cancelled', now)]),
    ...freed(gone, now),
    ['lots', 'asset_key', lot, only((l) => l.open === true, { open: false, updated_at: now })],
  ];
}

export function closeListing(place: Place, params: Params): Row[] {
  change(place, closing(place, params));
  return [];
}

export function lockLotOfDeal(place: Place, [dealId]: Params): Row[] {
  const match = find(place, 'matches', 'deal_id', dealId)?.row;
  const lot = match && find(place, 'lots', 'asset_key', match.asset_key);
  if (!lot) return [];
  lock(lot.cell, place.trx);
  return [{}];
}

export function paymentsOfListing(place: Place, [listingRef]: Params): Row[] {
  return [...seen(place, place.table('checkouts'), 'kind', 'listing')].flatMap(({ row }) => {
    const { listingRef: of, featured } = row.details as Row;
    if (of !== listingRef || row.paid_at === null || row.status === 'failed') return [];
    const [paid, suspended] = [row.paid_at as Date, row.suspended_at as Date | null];
    const went = suspended !== null && suspended > paid;
    return [{ places: featured !== false, stands: suspended === null, went }];
  });
}

export function unbookedDeal(place: Place, [dealId]: Params): Row[] {
  const match = find(place, 'matches', 'deal_id', dealId)?.row;
  if (!match) return [];
  const order = (id: unknown) => find(place, 'orders', 'order_id', id)!.row;
  const { settled_at, sell_order, buy_order } = match;
  const listing = find(place, 'listings', 'listing_ref', order(sell_order).listing_ref)!.row;
  const { listing_ref, asset_key, handle, asset } = listing;
  const { status } = order(buy_order);
  return [{ settled_at, status, sell_order, buy_order, listing_ref, asset_key, handle, asset }];
}

export function markSettled(place: Place, params: Params): Row[] {
  const [, , , , , now] = params;
  const [tx, dealId, sell, buy] = params.slice(7);
  const filled = all({ status: 'filled' });
  change(place, [
    ['matches', 'deal_id', dealId, all({ settled_at: now, tx })],
    ['orders', 'order_id', sell, filled],
    ['orders', 'order_id', buy, filled],
    ['reservations', 'order_id', buy, only((r) => r.state === 'held', { state: 'spent', updated_at: now })],
    ...closing(place, params),
  ]);
  return [];
}
