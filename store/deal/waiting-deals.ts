import { sql } from 'kysely';
import type { Database } from '../database.ts';

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
    where d.state = 'awaiting-owner'
      and (d.buyer = ${handle} and a.snapshot->'context'->>'buyer' = 'ask'
        or d.seller = ${handle} and a.snapshot->'context'->>'seller' = 'ask')`.execute(db);
  const [row] = rows;
  return { deals: Number(row?.deals ?? 0), until: row?.until ?? null };
}
