import { PROBES } from '../../agents/market/probing.ts';
import type { Micro } from '../../agents/money.ts';
import type { AgentRow, MandateRow } from '../agent/agents.ts';
import type { Held } from '../agent/reservations.ts';
import type { Sales } from '../agent/sales.ts';
import { type Database, run, type Statement } from '../database.ts';
import { parsed } from '../parsed.ts';
import type { ListingRow } from './listings.ts';
import { probedByOwner } from './probed-by-owner.ts';

/** What is known about an order's agent before anything is locked. */
export interface OrderSubject {
  readonly agent: AgentRow;
  /** The version of its mandate in force. */
  readonly inForce: number | null;
}

const OUTSET: Statement = {
  name: 'order-outset',
  text: `
    select a.*,
      (select m.version from mandates m where m.handle = a.handle and m.status = 'active') as in_force
    from agents a where a.handle = $1`,
};

/** @returns null when there is no such agent */
export async function readOrderSubject(db: Database, handle: string): Promise<OrderSubject | null> {
  const [row] = await run<AgentRow & { in_force: number | null }>(db, OUTSET, [handle]);
  if (!row) return null;
  const { in_force, ...agent } = row;
  return { agent, inForce: in_force };
}

/** A buy order, as far as the price to beat depends on it. */
export interface RestingBid {
  readonly limit: Micro;
  readonly openingBid: Micro;
}

/** Everything by which an order is judged, without orders that have expired. */
export interface OrderContext {
  readonly listing: ListingRow | null;
  readonly agentStatus: AgentRow['status'] | null;
  readonly agentEpoch: number | null;
  /**
   * When this owner last tried the lot, newest first: by an order, or by a deal that a rule of its own stopped. As
   * {@link probedByOwner} counts it.
   */
  readonly probed: readonly Date[];
  readonly held: Held;
  /** How many of its agent's orders are unfunded, its own on the lot among them. */
  readonly waiting: number;
  readonly sold: Sales;
  /** The last block in which the chain booked the cost of one of the agent's deals; null when there is none yet. */
  readonly bookedBlock: bigint | null;
  readonly mandate: Pick<MandateRow, 'version' | 'structured'> | null;
  /** The best resting buy order of another owner on the lot that may match the seller's. */
  readonly best: RestingBid | null;
  /** The best limit of a second owner of that kind. */
  readonly secondLimit: Micro | null;
  /** The best buy order on the lot of the owner's other agents. */
  readonly sibling: RestingBid | null;
  /** The agent's own buy order on the lot, resting or unfunded, with what it holds. */
  readonly own: {
    readonly orderId: string;
    readonly since: Date;
    readonly holds: Micro;
    readonly unfunded: boolean;
  } | null;
  /** The seller's resting order; null where there is none. Its own owner's orders are never the best. */
  readonly sell: {
    readonly orderId: string;
    readonly handle: string;
    readonly owner: string;
    readonly limit: Micro;
    readonly since: Date;
  } | null;
  /** Whether a stop exists on the lot. Then the best order may be of a buyer who does not count for the price. */
  readonly stops: boolean;
}

const LOOK: Statement = {
  name: 'look-before-order',
  text: `
    select l.asset_key as lot, pg_current_snapshot()::text as seen, md5(f::text) as digest,
      (f.listing).*, f.agent_status, f.agent_epoch, f.probed, f.held, f.unfunded, f.waiting, f.booked_block, f.resting,
      f.dealt, f.dealt_today, f.sold_day, f.sold_week, f.sold_month, f.sold_total,
      (f.mandate).version as in_force, (f.mandate).structured, f.best_limit, f.best_opening, f.second_limit,
      f.sibling_limit, f.sibling_opening, f.own_order, f.own_since, f.own_holds, f.own_unfunded,
      f.sell_order, f.sell_handle, f.sell_owner, f.sell_limit, f.sell_since, f.stops
    from listings l cross join lateral before_order(l.asset_key, $2, $3, $4, $5, $6) f
    where l.listing_ref = $1`,
};

interface BeforeRow extends ListingRow {
  agent_status: AgentRow['status'] | null;
  agent_epoch: number | null;
  probed: Date[];
  held: string;
  unfunded: string;
  waiting: bigint;
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
  sibling_limit: bigint | null;
  sibling_opening: bigint | null;
  own_order: string | null;
  own_since: Date | null;
  own_holds: bigint | null;
  own_unfunded: boolean | null;
  sell_order: string | null;
  sell_handle: string | null;
  sell_owner: string | null;
  sell_limit: bigint | null;
  sell_since: Date | null;
  stops: boolean;
}

/** Orders placed since this time count as tries. */
export function probedSince(now: Date): Date {
  return new Date(now.getTime() - PROBES.withinMs);
}

/** Who orders, and when. */
interface Asked {
  readonly handle: string;
  /** The agent's beneficial owner, lower case. */
  readonly owner: string;
  readonly now: Date;
  /** How many orders one owner may place on one lot an hour. */
  readonly probes: number;
}

/** Everything by which an order is judged, read without a lock, so it may be outdated. */
export interface OrderSnapshot {
  /** The lot of the listing that the order names. */
  readonly lot: string;
  /** The listing that the order names, whether or not it still stands. */
  readonly listingRef: string;
  readonly before: OrderContext;
  /** The database snapshot it was read in. When it equals the one under the locks, nothing was committed in between. */
  readonly seen: string;
  /** The digest of everything that was read. If the locks find the same digest, nothing has changed. */
  readonly digest: string;
  readonly asked: Asked;
}

/** Reads the lot of a listing for an agent's order, without a lock. @returns null when there is no such lot */
export async function readOrderSnapshot(
  db: Database,
  {
    listingRef,
    probes = PROBES.most,
    ...who
  }: Omit<Asked, 'probes'> & { listingRef: string; probes?: number },
): Promise<OrderSnapshot | null> {
  const { handle, owner, now } = who;
  const values = [listingRef, handle, owner, now, probedSince(now), probes];
  const [row] = await run<BeforeRow & Pick<OrderSnapshot, 'lot' | 'seen' | 'digest'>>(db, LOOK, values);
  if (!row) return null;
  const { lot, seen, digest, ...before } = row;
  const since = probedSince(now);
  const probed = await probedByOwner(db, { lot, handle, owner, since, most: probes, probed: before.probed });
  return {
    ...{ lot, listingRef, seen, digest },
    before: { ...beforeOf(before), probed },
    asked: { ...who, probes },
  };
}

function bidOf(limit: Micro | null, openingBid: Micro | null): RestingBid | null {
  return limit === null ? null : { limit, openingBid: openingBid ?? limit };
}

function beforeOf(row: BeforeRow): OrderContext {
  const {
    agent_status,
    agent_epoch,
    probed,
    held,
    unfunded,
    waiting,
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
    sell_order,
    sell_handle,
    sell_owner,
    sell_limit,
    sell_since,
    sibling_limit,
    sibling_opening,
    own_order,
    own_since,
    own_holds,
    own_unfunded,
    stops,
    ...listing
  } = row;
  return {
    listing: listing.listing_ref === null ? null : parsed('listings', listing),
    agentStatus: agent_status,
    agentEpoch: agent_epoch,
    probed,
    held: {
      amount: BigInt(held),
      unfunded: BigInt(unfunded),
      resting: Number(resting),
      deals: Number(dealt),
      dealsToday: Number(dealt_today),
    },
    waiting: Number(waiting),
    sold: {
      day: BigInt(sold_day),
      week: BigInt(sold_week),
      month: BigInt(sold_month),
      total: BigInt(sold_total),
    },
    bookedBlock: booked_block,
    mandate: in_force === null ? null : parsed('mandates', { version: in_force, structured }),
    best: bidOf(best_limit, best_opening),
    secondLimit: second_limit,
    sibling: bidOf(sibling_limit, sibling_opening),
    own:
      own_order === null
        ? null
        : {
            orderId: own_order,
            since: own_since!,
            holds: own_holds ?? 0n,
            unfunded: own_unfunded!,
          },
    sell:
      sell_order === null
        ? null
        : {
            orderId: sell_order,
            handle: sell_handle!,
            owner: sell_owner!,
            limit: sell_limit!,
            since: sell_since!,
          },
    stops,
  };
}
