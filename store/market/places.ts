import { sql } from 'kysely';
import type { Database } from '../database.ts';

/**
 * The lists that have pages, and the column that names a row. Rows are never deleted; they leave a list by their
 * status.
 */
const NAMED_BY = {
  listings: 'listing_ref',
  matches: 'match_id',
  close_calls: 'close_call_id',
  agents: 'handle',
  records: 'record_id',
} as const;

/** Whether there is, or was, a row of this name in a list. */
export async function isPlace(db: Database, list: keyof typeof NAMED_BY, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(list)} where ${sql.ref(NAMED_BY[list])} = ${name} limit 1`.execute(db);
  return rows.length > 0;
}
