import { PROBES } from '../agents/market/probing.ts';
import type { Micro } from '../agents/money.ts';
import type { AgentRow, MandateRow } from './agents.ts';
import { type Database, run, type Statement, type Trx } from './database.ts';
import type { ListingRow } from './listings.ts';
import type { Held } from './reservations.ts';
import type { Sales } from './sales.ts';

/** What is known of an order's agent and of what it is for before anything is locked. */
export interface Outset {
  readonly agent: AgentRow;
  /** The version of its mandate in force. */
  readonly inForce: number | null;
  /** The key of the lot that the listing named is of. */
  readonly lot: string | null;
}

const OUTSET: Statement = {
  name: 'order-outset',
  text: `
    select a.*, l.asset_key as lot,
      (select m.version from mandates m where m.handle = a.handle and m.status = 'active') as in_force
    from agents a left join listings l on l.listing_ref = $2
    where a.handle = $1`,
};

/** @param listingRef null: none is asked about. @returns null when there is no such agent */
export async function outsetOf(
  db: Database,
  handle: string,
  listingRef: string | null,
): Promise<Outset | null> {
  const [row] = await run<AgentRow & { lot: string | null; in_force: number | null }>(db, OUTSET, [
    handle,
    listingRef,
  ]);
  if (!row) return null;
  const { lot, in_force, ...agent } = row;
  return { agent, inForce: in_force, lot };
}

/** All that an order is judged by, as it is under the locks of its lot and of its agent. */
export interface BeforeOrder {
  readonly listing: ListingRow | null;
  readonly agentStatus: AgentRow['status'] | null;
  readonly agentEpoch: number | null;
  /** Whether orders rest on the lot whose time is over. */
  readonly overdue: boolean;
  /** When the newest orders of this owner on the lot were placed, newest first. */
  readonly probed: readonly Date[];
  readonly held: Held;
  readonly sold: Sales;
  /** The last block in which the chain booked what a deal of it cost: null, none yet. */
  readonly bookedBlock: bigint | null;
  readonly mandate: Pick<MandateRow, 'version' | 'structured'> | null;
  /** The best buy order that rests on the lot and may come to match the seller's, and the limit of the next such one. */
  readonly best: { readonly limit: Micro; readonly openingBid: Micro } | null;
  readonly secondLimit: Micro | null;
  /** The owner behind the seller's order that rests on it; null where none does. Of its own orders none is the best. */
  readonly seller: string | null;
}

const FACTS = `(f.listing).*, f.agent_status, f.agent_epoch, f.overdue, f.probed, f.held, f.booked_block, f.resting,
      f.dealt, f.dealt_today, f.sold_day, f.sold_week, f.sold_month, f.sold_total,
      (f.mandate).version as in_force, (f.mandate).structured, f.best_limit, f.best_opening, f.second_limit,
      f.seller_owner`;

const BEFORE: Statement = {
  name: 'before-order-locked',
  text: `select ${FACTS} from before_order($1, $2, $3, $4, $5, $6, true) f`,
};

const LOOK: Statement = {
  name: 'look-before-order',
  text: `
    select l.asset_key as lot, pg_current_snapshot()::text as seen, md5(f::text) as digest, ${FACTS}
    from listings l cross join lateral before_order(l.asset_key, $2, $3, $4, $5, $6, false) f
    where l.listing_ref = $1`,
};

interface BeforeRow extends ListingRow {
  agent_status: AgentRow['status'] | null;
  agent_epoch: number | null;
  overdue: boolean;
  probed: Date[];
  held: string;
  booked_block: bigint | null;
  resting: bigint;
  dealt: bigint;
  dealt_today: bigint;
  sold_day: string;
  sold_week: string;
  sold_month: string;
  sold_total: string;
  in_force: number | null;
  structured: MandateRow['structured'];
  best_limit: bigint | null;
  best_opening: bigint | null;
  second_limit: bigint | null;
  seller_owner: string | null;
}

/**
 * Takes the locks of a lot and of an agent, lot first, and reads under both what an order is judged by: no order of
 * this agent, nor any on this lot, is judged or leaves until the transaction ends.
 * @returns null when there is no such lot
 */
export async function standBeforeOrder(
  trx: Trx,
  order: { assetKey: string; handle: string; owner: string; now: Date; probes?: number },
): Promise<BeforeOrder | null> {
  const { assetKey, handle, owner, now, probes = PROBES.most } = order;
  const values = [assetKey, handle, owner, now, probedSince(now), probes];
  const [row] = await run<BeforeRow>(trx, BEFORE, values);
  return row ? beforeOf(row) : null;
}

/** Of orders placed since then it counts how many there are. */
export function probedSince(now: Date): Date {
  return new Date(now.getTime() - PROBES.withinMs);
}

/** What an order would be judged by, seen without any lock: it may be another already. */
export interface Look {
  readonly lot: string;
  readonly before: BeforeOrder;
  /** The snapshot it began with. Where it is the one under the locks, nobody has committed anything since. */
  readonly seen: string;
  /** Of all that was seen. Where the locks find the same, nothing of it has changed. */
  readonly digest: string;
  readonly asked: {
    readonly handle: string;
    readonly owner: string;
    readonly now: Date;
    readonly probes: number;
  };
}

/** As {@link standBeforeOrder}, of the lot that a listing is of, and holding nobody up. @returns null without such a lot */
export async function lookBeforeOrder(
  db: Database,
  order: { listingRef: string; handle: string; owner: string; now: Date; probes?: number },
): Promise<Look | null> {
  const { listingRef, handle, owner, now, probes = PROBES.most } = order;
  const values = [listingRef, handle, owner, now, probedSince(now), probes];
  const [row] = await run<BeforeRow & Pick<Look, 'lot' | 'seen' | 'digest'>>(db, LOOK, values);
  if (!row) return null;
  const { lot, seen, digest, ...before } = row;
  return { lot, seen, digest, before: beforeOf(before), asked: { handle, owner, now, probes } };
}

function beforeOf(row: BeforeRow): BeforeOrder {
  const {
    agent_status,
    agent_epoch,
    overdue,
    probed,
    held,
    booked_block,
    resting,
    dealt,
    dealt_today,
    sold_day,
    sold_week,
    sold_month,
    sold_total,
    in_force,
    structured,
    best_limit,
    best_opening,
    second_limit,
    seller_owner,
    ...listing
  } = row;
  return {
    listing: listing.listing_ref === null ? null : listing,
    agentStatus: agent_status,
    agentEpoch: agent_epoch,
    overdue,
    probed,
    held: {
      amount: BigInt(held),
      resting: Number(resting),
      deals: Number(dealt),
      dealsToday: Number(dealt_today),
    },
    sold: {
      day: BigInt(sold_day),
      week: BigInt(sold_week),
      month: BigInt(sold_month),
      total: BigInt(sold_total),
    },
    bookedBlock: booked_block,
    mandate: in_force === null ? null : { version: in_force, structured },
    best: best_limit === null ? null : { limit: best_limit, openingBid: best_opening ?? best_limit },
    secondLimit: second_limit,
    seller: seller_owner,
  };
}
