import { sql } from 'kysely';
import { CLOSE_SHARE, closeCallHours, hourOf } from '../../agents/market/close-calls.ts';
import type { Database } from '../database.ts';

/** A lot that orders left in these hours. */
export type LeftLot = Awaited<ReturnType<typeof lotsThatOrdersLeft>>[number];

/** The range of finished hours that is checked. */
export interface CloseCallHours {
  readonly since: Date;
  readonly until: Date;
}

/** @param lookBackHours how many whole hours back to check, in case the service was down; 48 when absent */
export function hoursOver(now: Date, lookBackHours = 48): CloseCallHours {
  const until = hourOf(now);
  return { until, since: new Date(until.getTime() - lookBackHours * 3_600_000) };
}

/**
 * Publishes the close calls of the hours that are over, once per lot and hour. It runs at the turn of each hour and may
 * be repeated at any time.
 * @param lookBackHours how many whole hours back to check, in case the service was down
 * @returns how many were new
 */
export async function publishCloseCalls(
  db: Database,
  input: { now: Date; newId: () => string; lookBackHours?: number },
): Promise<number> {
  const hours = hoursOver(input.now, input.lookBackHours);
  let published = 0;
  for (const lot of await lotsThatOrdersLeft(db, hours))
    published += await publishCloseCallsOf(db, lot, { ...hours, newId: input.newId });
  return published;
}

/**
 * The lots that may have close calls to publish: an order left them in these hours, and one of the other side that has
 * left too was as near to it as a close call's. Of all lots that were sold few are.
 */
export async function lotsThatOrdersLeft(db: Database, { since, until }: CloseCallHours) {
  return await db
    .selectFrom('orders')
    .innerJoin('lots', 'lots.asset_key', 'orders.asset_key')
    .select(['lots.asset_key', 'lots.category', 'lots.chain'])
    .distinct()
    .where('orders.left_at', '>=', since)
    .where('orders.left_at', '<', until)
    .where(
      sql<boolean>`exists (
        select from orders o cross join lateral (
          select case orders.side when 'sell' then orders.limit_price else o.limit_price end as sell,
            case orders.side when 'sell' then o.limit_price else orders.limit_price end as buy
        ) limits
        where o.asset_key = orders.asset_key and o.left_at < ${until} and o.side <> orders.side
          and sell > buy and (sell - buy) * ${CLOSE_SHARE} <= sell)`,
    )
    // A bid in an auction of a name was never on the book.
    .where('lots.asset_key', 'not like', 'serial:name:%')
    .orderBy('lots.asset_key')
    .execute();
}

/** Publishes the close calls of one lot. @returns how many were new */
export async function publishCloseCallsOf(
  db: Database,
  lot: LeftLot,
  { since, until, newId }: CloseCallHours & { readonly newId: () => string },
): Promise<number> {
  const orders = await db
    .selectFrom('orders')
    .select(['side', 'owner', 'limit_price', 'created_at', 'rested_at', 'left_at'])
    .where('asset_key', '=', lot.asset_key)
    .where('left_at', '<', until)
    // One that was never covered never lay on the book.
    .where('rested_at', 'is not', null)
    .execute();
  const hours = closeCallHours(
    orders.map((o) => ({
      side: o.side,
      owner: o.owner,
      limit: o.limit_price,
      from: o.rested_at ?? o.created_at,
      to: o.left_at,
    })),
  ).filter((hour) => hour >= since);
  let published = 0;
  for (const hour of hours) {
    const row = await db
      .insertInto('close_calls')
      .values({
        close_call_id: newId(),
        lot: lot.asset_key,
        category: lot.category,
        chain: lot.chain,
        hour,
      })
      .onConflict((oc) => oc.columns(['lot', 'hour']).doNothing())
      .returning('close_call_id')
      .executeTakeFirst();
    if (row) published++;
  }
  return published;
}

/** Contains no figure, side, party or exact time. */
export interface CloseCallEntry {
  readonly closeCallId: string;
  readonly lot: string;
  readonly category: string;
  readonly chain: string;
  readonly hour: Date;
}

/** Newest hour first, at most `limit` rows. */
export async function listCloseCalls(
  db: Database,
  query: {
    category?: string;
    chain?: string;
    lot?: string;
    /** Begins after this close call, whatever was published since. */
    after?: string;
    limit: number;
    offset: number;
  },
): Promise<CloseCallEntry[]> {
  let rows = db.selectFrom('close_calls').select(['close_call_id', 'lot', 'category', 'chain', 'hour']);
  if (query.category !== undefined) rows = rows.where('category', '=', query.category);
  if (query.chain !== undefined) rows = rows.where('chain', '=', query.chain);
  if (query.lot !== undefined) rows = rows.where('lot', '=', query.lot);
  if (query.after !== undefined) {
    rows = rows.where(
      // The first condition is where the index is entered.
      sql<boolean>`hour <= (select c.hour from close_calls as c where c.close_call_id = ${query.after})
        and (hour < (select c.hour from close_calls as c where c.close_call_id = ${query.after})
          or close_call_id > ${query.after})`,
    );
  }
  const found = await rows
    .orderBy('hour', 'desc')
    .orderBy('close_call_id')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return found.map((r) => ({
    closeCallId: r.close_call_id,
    lot: r.lot,
    category: r.category,
    chain: r.chain,
    hour: r.hour,
  }));
}
