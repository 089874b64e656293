import { PROBES } from '../agents/market/probing.ts';
import type { Micro } from '../agents/money.ts';
import type { AgentRow, MandateRow } from './agents.ts';
import { type Database, run, type Statement, type Trx } from './database.ts';
import type { ListingRow } from './listings.ts';
import type { Held } from './reservations.ts';
import type { Sales } from './sales.ts';

/**
 * By which it is known that no money of an agent has gone from its reservations to the chain's books meanwhile: only
 * orders hold money, and each holds it once. So where there is no newer order, and as many hold, all of them still do.
 */
export interface HeldMark {
  readonly newestOrder: bigint | null;
  readonly heldOrders: bigint;
  /** Of the mandate in force. */
  readonly mandateVersion: number | null;
}

export function sameMark(a: HeldMark, b: HeldMark): boolean {
  return (
    a.newestOrder === b.newestOrder && a.heldOrders === b.heldOrders && a.mandateVersion === b.mandateVersion
  );
}

/** What is known of an order's agent and of what it is for before anything is locked. */
export interface Outset {
  readonly agent: AgentRow;
  readonly mark: HeldMark;
  /** The key of the lot that the listing named is of. */
  readonly lot: string | null;
}

const OUTSET: Statement = {
  name: 'order-outset',
  text: `
    select a.*, l.asset_key as lot,
      (select max(o.seq) from orders o where o.handle = a.handle) as newest_order,
      (select count(*) from reservations r where r.handle = a.handle and r.state = 'held') as held_orders,
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
  const [row] = await run<
    AgentRow & {
      lot: string | null;
      newest_order: bigint | null;
      held_orders: bigint;
      in_force: number | null;
    }
  >(db, OUTSET, [handle, listingRef]);
  if (!row) return null;
  const { lot, newest_order, held_orders, in_force, ...agent } = row;
  const mark = { newestOrder: newest_order, heldOrders: held_orders, mandateVersion: in_force };
  return { agent, mark, lot };
}

/** All that an order is judged by, as it is under the locks of its lot and of its agent. */
export interface BeforeOrder {
  readonly listing: ListingRow | null;
  readonly agentStatus: AgentRow['status'] | null;
  /** Whether orders rest on the lot whose time is over. */
  readonly overdue: boolean;
  /** When the newest orders of this owner on the lot were placed, newest first. */
  readonly probed: readonly Date[];
  readonly held: Held;
  readonly sold: Sales;
  readonly mark: HeldMark;
  readonly mandate: Pick<MandateRow, 'version' | 'structured'> | null;
  /** The best buy order that rests on the lot, and the limit of the next one. */
  readonly best: { readonly limit: Micro; readonly openingBid: Micro } | null;
  readonly secondLimit: Micro | null;
}

const BEFORE: Statement = {
  name: 'before-order',
  text: `
    select (f.listing).*, f.agent_status, f.overdue, f.probed, f.held, f.held_orders, f.newest_order, f.resting,
      f.dealt, f.dealt_today, f.sold_day, f.sold_week, f.sold_month, f.sold_total,
      (f.mandate).version as in_force, (f.mandate).structured, f.best_limit, f.best_opening, f.second_limit
    from stand_before_order($1, $2, $3, $4, $5, $6) f`,
};

interface BeforeRow extends ListingRow {
  agent_status: AgentRow['status'] | null;
  overdue: boolean;
  probed: Date[];
  held: string;
  held_orders: bigint;
  newest_order: bigint | null;
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
  const since = new Date(now.getTime() - PROBES.withinMs);
  const [row] = await run<BeforeRow>(trx, BEFORE, [assetKey, handle, owner, now, since, probes]);
  if (!row) return null;
  const {
    agent_status,
    overdue,
    probed,
    held,
    held_orders,
    newest_order,
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
    ...listing
  } = row;
  return {
    listing: listing.listing_ref === null ? null : listing,
    agentStatus: agent_status,
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
    mark: { newestOrder: newest_order, heldOrders: held_orders, mandateVersion: in_force },
    mandate: in_force === null ? null : { version: in_force, structured },
    best: best_limit === null ? null : { limit: best_limit, openingBid: best_opening ?? best_limit },
    secondLimit: second_limit,
  };
}
