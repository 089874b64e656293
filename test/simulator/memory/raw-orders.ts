import { bySerial, find, insertNew, later, type Params, seen, time } from './raw-rows.ts';
import { lock, type Row, requireFree, visible, write } from './rows.ts';
import type { Place } from './statements.ts';

/** How an order is judged and placed, as `store/market/order-context.ts` and `store/market/orders.ts` write it. */

const sum = (rows: readonly Row[], column: string): bigint =>
  rows.reduce((all, row) => all + (row[column] as bigint), 0n);

function rowsOf(place: Place, table: string, column: string, value: unknown): Row[] {
  return rowCells(place, table, column, value).map(({ row }) => row);
}

function rowCells(place: Place, table: string, column: string, value: unknown) {
  return [...seen(place, place.table(table), column, value)];
}

/** Its owner may still take it back. */
const isOnHand = (o: Row): boolean => o.status === 'resting' || o.status === 'unfunded';

const holds = (place: Place, handle: unknown): Row[] =>
  rowsOf(place, 'reservations', 'handle', handle).filter((r) => r.state === 'held');

const BOOKED: ReadonlySet<string> = new Set(['settled', 'recorded']);
const lastBlock = (deals: readonly Row[]): bigint | null =>
  deals
    .map((d) => d.settled_block as bigint | null)
    .reduce((last, block) => (last === null || (block !== null && block > last) ? block : last), null);

const mandateOf = (place: Place, handle: unknown): Row | undefined =>
  rowsOf(place, 'mandates', 'handle', handle).find((m) => m.status === 'active');

export function orderOutset(place: Place, [handle]: Params): Row[] {
  const agent = find(place, 'agents', 'handle', handle)?.row;
  if (!agent) return [];
  return [{ ...agent, in_force: mandateOf(place, handle)?.version ?? null }];
}

/** Reads under the locks of the lot and of the agent. */
function beforeOrder(place: Place, [lot, handle, ...params]: Params): Row[] {
  const found = find(place, 'lots', 'asset_key', lot);
  if (found) lock(found.cell, place.trx);
  const agent = found && find(place, 'agents', 'handle', handle);
  if (agent) lock(agent.cell, place.trx);
  return standing(place, [lot, handle, ...params]);
}

/** A digest of everything that was read; equal rows have equal digests. */
const digestOf = (row: Row): string =>
  JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));

export function readOrderSnapshot(place: Place, [listingRef, ...params]: Params): Row[] {
  const lot = find(place, 'listings', 'listing_ref', listingRef)?.row.asset_key;
  if (lot === undefined) return [];
  return standing(place, [lot, ...params]).map((row) => ({ ...row, lot, seen: '', digest: digestOf(row) }));
}

const NONE: Row = { order_id: null };

export function placeOrder(place: Place, params: Params): Row[] {
  const [, handle, owner, side, lot, ref, , , , now] = params;
  const [since, probes, , digest, replaces, ask, floor, status, held, listed_ask] = params.slice(13);
  const [row] = beforeOrder(place, [lot, handle, owner, now, since, probes]);
  if (row === undefined || digestOf(row) !== digest) return [{ ...NONE, same: false }];
  const { trx } = place;
  const gone = rowCells(place, 'orders', 'asset_key', lot).filter(
    ({ row: o }) =>
      isOnHand(o) && (o.order_id === replaces || (o.side === 'buy' && time(o.expires_at) <= time(now))),
  );
  const freed = gone.flatMap(({ row: o }) =>
    rowCells(place, 'reservations', 'order_id', o.order_id).filter(({ row: r }) => r.state === 'held'),
  );
  const listing = side === 'sell' ? find(place, 'listings', 'listing_ref', ref) : undefined;
  // Everything that may have to wait comes before the first write.
  for (const { cell } of [...gone, ...freed, ...(listing ? [listing] : [])]) requireFree(cell, trx);
  for (const { cell, row: o } of gone) {
    const ended = time(o.expires_at) <= time(now) ? 'expired' : 'cancelled';
    write(cell, trx, { ...o, status: ended, left_at: o.status === 'resting' ? now : o.left_at });
  }
  for (const { cell, row: r } of freed) write(cell, trx, { ...r, state: 'released', updated_at: now });
  if (listing) write(listing.cell, trx, { ...listing.row, ask, floor, listed_ask });
  const until =
    params[10] ?? gone.find(({ row: o }) => o.order_id === replaces && o.side === 'sell')?.row.expires_at;
  return placeRow(place, [...params.slice(0, 10), until, params[11], status, held]).map((placed) => ({
    same: true,
    ...placed,
  }));
}

function standing(place: Place, [lot, handle, owner, now, since, probes]: Params): Row[] {
  const { trx } = place;
  if (!find(place, 'lots', 'asset_key', lot)) return [];
  const agent = find(place, 'agents', 'handle', handle);
  const listing = rowsOf(place, 'listings', 'asset_key', lot).find(
    (l) => l.status === 'live' || l.status === 'dealing',
  );
  const onLot = rowsOf(place, 'orders', 'asset_key', lot);
  const isOver = (o: Row): boolean => time(o.expires_at) <= time(now);
  const resting = onLot.filter((o) => o.status === 'resting' && !isOver(o));
  const mine = onLot.filter((o) => isOnHand(o) && o.side === 'buy' && o.handle === handle);
  const over = mine.filter(isOver);
  const sell = resting.find((o) => o.side === 'sell' && o.listing_ref === listing?.listing_ref);
  const bids = resting
    .filter((o) => o.side === 'buy' && o.handle !== handle)
    .sort((a, b) => Number((b.limit_price as bigint) - (a.limit_price as bigint)) || bySerial('seq')(a, b));
  const others = bids.filter((o) => o.owner !== owner && o.owner !== sell?.owner);
  const second = others.find((o) => o.owner !== others[0]?.owner);
  const sibling = bids.find((o) => o.owner === owner);
  const own = mine.find((o) => !isOver(o));
  const held = holds(place, handle).filter((r) => !over.some((o) => o.order_id === r.order_id));
  const deals = [...place.table('deals').cells]
    .map((cell) => visible(cell, trx))
    .filter((d) => d !== null)
    .filter((d) => (d.seller === handle || d.buyer === handle) && !/^(?:stopped|failed)$/.test(`${d.state}`))
    .map((d): Row => ({ ...find(place, 'matches', 'match_id', d.match_id)!.row, ...d }));
  const after = (days: number) => (d: Row) =>
    time(d.matched_at) > time(later(now as Date, -days * 86_400_000));
  const month = Date.UTC((now as Date).getUTCFullYear(), (now as Date).getUTCMonth(), 1);
  const counted = deals.filter((d) => (d.seller === handle ? d.seller_owner : d.buyer_owner) === owner);
  const sold = counted.filter((d) => d.seller === handle);
  const mandate = mandateOf(place, handle);
  const from = mandate?.counts_from ?? null;
  const inTotal = (d: Row) => d.settled_at === null || from === null || time(d.settled_at) > time(from);
  return [
    {
      ...(listing ?? { listing_ref: null }),
      agent_status: agent?.row.status ?? null,
      agent_epoch: agent?.row.epoch ?? null,
      probed: [
        ...onLot.filter((o) => o.owner === owner && o.placed_at === null).map((o) => o.created_at as Date),
        ...ownStops(rowsOf(place, 'stops', 'asset_key', lot), owner),
      ]
        .filter((at) => time(at) > time(since))
        .sort((a, b) => time(b) - time(a))
        .slice(0, probes as number),
      held: sum(held, 'amount'),
      unfunded: sum(
        held.filter((r) => find(place, 'orders', 'order_id', r.order_id)?.row.status === 'unfunded'),
        'amount',
      ),
      waiting: rowsOf(place, 'orders', 'handle', handle).filter(
        (o) => o.status === 'unfunded' && !over.some(({ order_id }) => order_id === o.order_id),
      ).length,
      booked_block: lastBlock(deals.filter((d) => d.buyer === handle && BOOKED.has(`${d.state}`))),
      resting: rowsOf(place, 'orders', 'handle', handle).filter(isOnHand).length - over.length,
      dealt: counted.filter(inTotal).length,
      dealt_today: counted.filter(after(1)).length,
      sold_day: sum(sold.filter(after(1)), 'price'),
      sold_week: sum(sold.filter(after(7)), 'price'),
      sold_month: sum(
        sold.filter((d) => time(d.matched_at) >= month),
        'price',
      ),
      sold_total: sum(sold.filter(inTotal), 'price'),
      in_force: mandate?.version ?? null,
      structured: mandate?.structured ?? null,
      best_limit: others[0]?.limit_price ?? null,
      best_opening: others[0]?.opening_bid ?? null,
      second_limit: second?.limit_price ?? null,
      sibling_limit: sibling?.limit_price ?? null,
      sibling_opening: sibling?.opening_bid ?? null,
      own_order: own?.order_id ?? null,
      own_since: own?.created_at ?? null,
      own_holds: own ? (held.find((r) => r.order_id === own.order_id)?.amount ?? null) : null,
      own_unfunded: own ? own.status === 'unfunded' : null,
      sell_order: sell?.order_id ?? null,
      sell_handle: sell?.handle ?? null,
      sell_owner: sell?.owner ?? null,
      sell_limit: sell?.limit_price ?? null,
      sell_since: sell ? (sell.placed_at ?? sell.created_at) : null,
      stops: rowsOf(place, 'stops', 'asset_key', lot).some((s) => s.lifted_at === null),
    },
  ];
}

export function ownersWords(place: Place, [handles, owners, below, times]: Params): readonly Row[] {
  return (handles as string[]).map((handle, n) => {
    const owner = (owners as string[])[n]!;
    const by = (times as (Date | null)[])[n]!;
    const isIn = ({ created_at: at }: Row): boolean => by === null || (at as Date) <= by;
    const acts = rowsOf(place, 'owner_acts', 'handle', handle).filter(
      (a) =>
        a.beneficial_owner === owner &&
        (a.kind === 'resume' ||
          (['mandate', 'rotate'].includes(a.kind as string) &&
            ['signed', 'done'].includes(a.status as string))) &&
        isIn(a),
    );
    const orders = rowsOf(place, 'orders', 'handle', handle).filter(
      (o) => o.owner === owner && (o.order_id as string) < (below as string) && isIn(o),
    );
    const agent = find(place, 'agents', 'handle', handle)?.row;
    const paid = agent && find(place, 'checkouts', 'id', agent.checkout_id)?.row;
    const payment = paid?.pay === 'usdc' ? ((paid.processor_session ?? null) as string | null) : null;
    const byOwner = payment?.toLowerCase().split(':').includes(owner) ?? false;
    return { given: acts.length > 0 || orders.length > 0 || byOwner };
  });
}

/** When deals were stopped by a rule of this owner, once for each deal. */
function ownStops(stops: readonly Row[], owner: unknown): Date[] {
  const own = stops.filter((s) => (s.side === 'buyer' ? s.buyer : s.side === 'seller' && s.seller) === owner);
  return [...new Map(own.map((s) => [s.deal_id, s.stopped_at as Date])).values()];
}

function placeRow(place: Place, params: Params): Row[] {
  const [
    orderId,
    handle,
    owner,
    side,
    lot,
    ref,
    category,
    limit,
    opening,
    now,
    expiresAt,
    price,
    status,
    held,
  ] = params;
  const market = find(place, 'lots', 'asset_key', lot);
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
    account_held: status === 'resting' ? held : null,
    moves_price: status === 'resting' && side === 'buy' && reachesMinimum(place, { lot, ref, held }),
    status,
    created_at: now,
    rested_at: status === 'resting' ? now : null,
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

/** As the trigger of the schema has it. */
function reachesMinimum(place: Place, { lot, ref, held }: Readonly<Record<string, unknown>>): boolean {
  if (String(lot).startsWith('serial:name:')) return true;
  const { ask, listed_ask: listed } = find(place, 'listings', 'listing_ref', ref)!.row;
  return typeof held === 'bigint' && held >= (((listed ?? ask) as bigint) + 1n) / 2n;
}

export function restFundedOrder(place: Place, [orderId, now, held]: Params): Row[] {
  const table = place.table('orders');
  const found = find(place, 'orders', 'order_id', orderId);
  if (found?.row.status !== 'unfunded' || time(found.row.expires_at) <= time(now)) return [];
  requireFree(found.cell, place.trx);
  const { asset_key: lot, listing_ref: ref, moves_price: moved } = found.row;
  const row = {
    ...found.row,
    ...{ status: 'resting', seq: table.nextSerial(), rested_at: now, left_at: null, account_held: held },
    moves_price: moved || reachesMinimum(place, { lot, ref, held }),
  };
  write(found.cell, place.trx, row);
  return [row];
}
