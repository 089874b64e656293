import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** An entry whose list names a person or a company. */
export interface NamedEntry {
  /** `register/source`. */
  readonly list: string;
  readonly key: string;
  readonly name: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The entries whose list names somebody by all of these words, in any order and spelled in any case; at most `most`. */
export async function findByName(
  db: Database,
  words: readonly string[],
  most: number,
): Promise<NamedEntry[]> {
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`);
  const { rows } = await sql<NamedEntry>`
    select register || '/' || source as list, key, detail->>'name' as name, detail from register_entries
    where detail->>'name' ilike all (${patterns}) order by 3, 1, 2 limit ${most}`.execute(db);
  return rows;
}
