import { sql } from 'kysely';
import type { Trx } from './database.ts';

/**
 * Acts as the owner of a table until the transaction ends: a part that is made then is its owner's, who drops it and adds to
 * it later, whoever else made it, and nobody has rights on it that only the maker's own tables give.
 */
export async function actAsOwnerOf(trx: Trx, table: 'public_events' | 'record_archive' | 'transfers') {
  await sql`select set_config('role', pg_get_userbyid(relowner), true) from pg_class where oid = ${table}::regclass`.execute(
    trx,
  );
}
