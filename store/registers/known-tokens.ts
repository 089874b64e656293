import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** What is kept here of a token. */
export interface KnownToken {
  readonly tokenKey: string;
  /** A list of goods names it, the operator recorded a pledge of it, or it is known to stand for something else. */
  readonly entered: boolean;
  /** Who pledged it, and who owns the agents that list it; lower case. */
  readonly claimants: readonly string[];
}

/** Those of these tokens of which anything is kept here. */
export async function knownTokens(db: Database, tokenKeys: readonly string[]): Promise<KnownToken[]> {
  const { rows } = await sql<KnownToken>`
    select * from (
      select asked.token_key as "tokenKey",
        exists (select from certificates c where c.token_key = asked.token_key)
        or exists (
          select from pledges p where claim_key(p.asset_key) = claim_key(asked.token_key)
            and p.released_at is null and p.source = 'operator')
        or exists (
          select from register_entries e where e.register in ('stolen', 'recalled') and e.key = asked.token_key)
        as entered,
        array(
          select p.wallet from pledges p
          where claim_key(p.asset_key) = claim_key(asked.token_key) and p.released_at is null
          union
          select a.owner from listings l join agents a on a.handle = l.handle
          where claim_key(l.asset_key) = claim_key(asked.token_key) and l.status in ('live', 'dealing')
        ) as claimants
      from unnest(${tokenKeys}::text[]) as asked (token_key)
    ) kept where entered or claimants <> '{}'`.execute(db);
  return rows;
}
