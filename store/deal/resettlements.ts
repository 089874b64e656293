import type { StopCause } from '../../agents/deal/stop-causes.ts';
import type { Database, Trx } from '../database.ts';
import { reopenChainListing } from '../market/chain-listings.ts';
import { lockLot, type OrderRow } from '../market/lots.ts';
import { findOrder } from '../market/orders.ts';
import { rememberStops } from '../market/stops.ts';
import { parsed } from '../parsed.ts';

/** Changes to what was booked as final when a chain goes back: settlements and anchors move or are gone. */

export interface BookedSettlement {
  readonly dealId: string;
  readonly tx: string;
  readonly block: bigint;
}

function bookedSettlements(db: Database) {
  return db
    .selectFrom('deals')
    .select(['deal_id as dealId', 'tx', 'settled_block as block'])
    .where('settled_block', 'is not', null)
    .orderBy('settled_block');
}

/** The deals booked as settled in this block or a later one, oldest first. */
export async function settlementsSince(db: Database, block: bigint): Promise<BookedSettlement[]> {
  const rows = await bookedSettlements(db)
    .where('settled_block', '>=', block)
    .where('state', 'in', ['settled', 'recorded'])
    .execute();
  return rows as BookedSettlement[];
}

/** The deals that are settled and whose record is not filed yet, in whichever block they settled, oldest first. */
export async function unrecordedSettlements(db: Database): Promise<BookedSettlement[]> {
  // Found by what waits to be recorded, which is little, and not among all deals.
  const waiting = await db
    .selectFrom('effects')
    .select('params')
    .where('kind', '=', 'record-deal')
    .where('status', 'in', ['pending', 'running'])
    .execute();
  if (waiting.length === 0) return [];
  const ids = waiting.map(({ params }) => String((params as { readonly dealId?: unknown }).dealId));
  const rows = await bookedSettlements(db)
    .where('deal_id', 'in', ids)
    .where('state', '=', 'settled')
    .execute();
  return rows as BookedSettlement[];
}

/** The newest block of which a settlement or an anchor is booked; null when none is. */
export async function newestBooked(db: Database): Promise<bigint | null> {
  const deal = await db
    .selectFrom('deals')
    .select('settled_block as block')
    .where('settled_block', 'is not', null)
    .orderBy('settled_block', 'desc')
    .limit(1)
    .executeTakeFirst();
  const batch = await db
    .selectFrom('batches')
    .select('block')
    .where('status', '=', 'anchored')
    .orderBy('batch_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const booked = [deal, batch].flatMap((row) => row?.block ?? []);
  return booked.sort((one, other) => (one < other ? 1 : -1))[0] ?? null;
}

/** Records on the match that its settlement is in another transaction than was booked, after a reorg. */
export async function moveSettlement(trx: Trx, to: { dealId: string; tx: string }): Promise<void> {
  const { dealId, tx } = to;
  await trx.updateTable('matches').set({ tx }).where('deal_id', '=', dealId).execute();
}

const REFUSED: StopCause = { finding: 'settlement', side: 'neither', verdict: null };

/**
 * Records that a settlement is gone for good: the public match no longer claims it, the money counts as unspent and the thing as unsold. The chain gave the thing back to its seller, listed. That chain listing is removed,
 * and the seller may list the thing again.
 */
export async function revokeSettlement(trx: Trx, gone: { dealId: string; now: Date }): Promise<void> {
  const { dealId, now } = gone;
  const { asset_key, buy_order, sell_order } = await trx
    .selectFrom('matches')
    .select(['asset_key', 'buy_order', 'sell_order'])
    .where('deal_id', '=', dealId)
    .executeTakeFirstOrThrow();
  await lockLot(trx, asset_key);
  await trx
    .updateTable('matches')
    .set({ settled_at: null, tx: null })
    .where('deal_id', '=', dealId)
    .execute();
  await trx
    .updateTable('orders')
    .set({ status: 'unwound' })
    .where('order_id', 'in', [sell_order, buy_order])
    .where('status', '=', 'filled')
    .execute();
  await trx
    .updateTable('reservations')
    .set({ state: 'released', updated_at: now })
    .where('order_id', '=', buy_order)
    .where('state', '=', 'spent')
    .execute();
  const sell = (await findOrder(trx, sell_order)) as OrderRow;
  const buy = (await findOrder(trx, buy_order)) as OrderRow;
  await rememberStops(trx, { dealId, sell, buy, causes: [REFUSED], now });
  const listing = await trx
    .updateTable('listings')
    .set({ status: 'dropped' })
    .where('listing_ref', '=', sell.listing_ref)
    .where('status', '=', 'sold')
    .returningAll()
    .executeTakeFirst();
  if (listing) await reopenChainListing(trx, parsed('listings', listing), now);
}

export interface BookedAnchor {
  readonly batchId: bigint;
  readonly root: string;
  readonly tx: string | null;
  readonly block: bigint | null;
}

/** The batches that were booked as anchored in this block or a later one. */
export async function anchorsSince(db: Database, block: bigint): Promise<BookedAnchor[]> {
  const rows = await db
    .selectFrom('batches')
    .select(['batch_id', 'root', 'tx', 'block'])
    .where('status', '=', 'anchored')
    .where('block', '>=', block)
    .orderBy('batch_id')
    .execute();
  return rows.map((r) => ({ batchId: r.batch_id, root: r.root, tx: r.tx, block: r.block }));
}

/** The newest batches that were booked as anchored, and when that was, at most `limit`. */
export async function newestAnchors(
  db: Database,
  limit: number,
): Promise<(BookedAnchor & { readonly at: Date })[]> {
  const rows = await db
    .selectFrom('batches')
    .select(['batch_id', 'root', 'tx', 'block', 'anchored_at'])
    .where('status', '=', 'anchored')
    .orderBy('batch_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ batch_id: batchId, root, tx, block, anchored_at: at }) => ({
    ...{ batchId, root, tx, block, at: at ?? new Date(0) },
  }));
}

/** Withdraws that a batch is anchored: its records are `inscribed` until its root is on chain again. */
export async function reopenBatch(db: Database, batchId: bigint): Promise<void> {
  await db
    .updateTable('batches')
    .set({ status: 'open', tx: null, block: null, anchored_at: null })
    .where('batch_id', '=', batchId)
    .execute();
}

/** Records the block and transaction in which an anchor is now, after a reorg. */
export async function moveAnchor(
  db: Database,
  batchId: bigint,
  to: { tx: string | null; block: bigint | null },
): Promise<void> {
  await db.updateTable('batches').set(to).where('batch_id', '=', batchId).execute();
}
