import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** Those of these tokens that are on a list of goods, pledged, listed, or known to stand for something else. */
export async function knownTokens(db: Database, tokenKeys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ token_key: string }>`
    select token_key from unnest(${tokenKeys}::text[]) as asked (token_key)
    where exists (select from certificates c where c.token_key = asked.token_key)
      or exists (
        select from pledges p where claim_key(p.asset_key) = claim_key(asked.token_key) and p.released_at is null)
      or exists (
        select from listings l
        where claim_key(l.asset_key) = claim_key(asked.token_key) and l.status in ('live', 'dealing'))
      or exists (
        select from register_entries e where e.register in ('stolen', 'recalled') and e.key = asked.token_key)`.execute(
    db,
  );
  return new Set(rows.map((row) => row.token_key));
}
