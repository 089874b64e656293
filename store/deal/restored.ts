import type { Database } from '../database.ts';
import type { DealState } from '../tables.ts';

/** The deals that may be those that a chain settled from a block on: settled since, or not known to be. */
export async function dealsSettledSince(
  db: Database,
  block: bigint,
): Promise<{ readonly deal_id: string; readonly state: DealState }[]> {
  return await db
    .selectFrom('deals')
    .select(['deal_id', 'state'])
    .where((eb) => eb.or([eb('settled_block', '>=', block), eb('settled_block', 'is', null)]))
    .execute();
}
