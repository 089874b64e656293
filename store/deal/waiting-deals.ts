import { sql } from 'kysely';
import type { Database } from '../database.ts';

const ASKED = sql`d.state = 'awaiting-owner'`;
const askedOf = (handle: string) => sql`(d.buyer = ${handle} and a.snapshot->'context'->>'buyer' = 'ask'
        or d.seller = ${handle} and a.snapshot->'context'->>'seller' = 'ask')`;

/** Which of these deals wait for a decision of this agent's own owner. */
export async function askedAmong(
  db: Database,
  handle: string,
  dealIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (dealIds.length === 0) return new Set();
  const { rows } = await sql<{ deal_id: string }>`
    select d.deal_id from deals d join actors a on a.id = 'deal:' || d.deal_id
    where d.deal_id in (${sql.join(dealIds)}) and ${ASKED} and ${askedOf(handle)}`.execute(db);
  return new Set(rows.map((row) => row.deal_id));
}

/** How many deals wait for a decision of an owner, and when the first of them will be stopped without one. */
export interface WaitingDeals {
  readonly deals: number;
  readonly until: Date | null;
}

/**
 * The deals of these agents that wait for a decision of the agent's own owner. Deals that wait for the other side's owner
 * do not count.
 * @returns by handle; an agent without such deals has no entry
 */
export async function waitingDeals(
  db: Database,
  handles: readonly string[],
): Promise<ReadonlyMap<string, WaitingDeals>> {
  if (handles.length === 0) return new Map();
  const asked = (side: 'buyer' | 'seller') => sql`
    select d.${sql.ref(side)} as handle, d.deadline from deals d join actors a on a.id = 'deal:' || d.deal_id
    where ${ASKED} and d.${sql.ref(side)} in (${sql.join(handles)}) and a.snapshot->'context'->>${sql.lit(side)} = 'ask'`;
  const { rows } = await sql<{ handle: string; deals: string; until: Date | null }>`
    select handle, count(*) as deals, min(deadline) as until
    from (${asked('buyer')} union all ${asked('seller')}) waiting group by handle`.execute(db);
  return new Map(rows.map(({ handle, deals, until }) => [handle, { deals: Number(deals), until }]));
}
