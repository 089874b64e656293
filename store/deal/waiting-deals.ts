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

/**
 * The deals of an agent that wait for a decision of its own owner: how many, and when the first of them will be stopped
 * without one. Deals that wait for the other side's owner do not count.
 */
export async function waitingDeals(
  db: Database,
  handle: string,
): Promise<{ readonly deals: number; readonly until: Date | null }> {
  const { rows } = await sql<{ deals: string; until: Date | null }>`
    select count(*) as deals, min(d.deadline) as until
    from deals d join actors a on a.id = 'deal:' || d.deal_id
    where ${ASKED} and ${askedOf(handle)}`.execute(db);
  const [row] = rows;
  return { deals: Number(row?.deals ?? 0), until: row?.until ?? null };
}
