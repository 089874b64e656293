import { sql } from 'kysely';
import type { Database } from '../database.ts';

/**
 * The keys on lists of stolen and recalled goods that have the number of one of these, under another kind or maker: what
 * stands there may be the same thing, and may be another's with the same number.
 */
export async function goodsWithNumbersOf(db: Database, keys: readonly string[]): Promise<string[]> {
  const serials = keys.filter((key) => key.startsWith('serial:'));
  if (serials.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    select distinct key from register_entries
    where register in ('stolen', 'recalled') and key like 'serial:%'
      and claim_key(key) in (${sql.join(serials.map((key) => sql`claim_key(${key})`))})
    order by key limit 100`.execute(db);
  return rows.map(({ key }) => key).filter((key) => !keys.includes(key));
}
