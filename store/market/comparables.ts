import { sql } from 'kysely';
import type { Micro } from '../../agents/money.ts';
import type { Database } from '../database.ts';

/** A settled deal as a comparable. Its price is already public; the owners only serve to recognise repeats. */
export interface SettledSale {
  readonly matchId: string;
  readonly lot: string;
  readonly price: Micro;
  readonly soldAt: Date;
  /** A determination on it was FLAGGED, and the owner decided to go on. */
  readonly flagged: boolean;
  /** Lower-case wallets of the two sides, from their orders. */
  readonly seller: string;
  readonly buyer: string;
}

/**
 * The deals of a category that settled since a day, newest first, at most `limit` rows; only lots whose key begins with
 * `prefix`, if it is given.
 */
export async function settledSales(
  db: Database,
  query: { category: string; since: Date; prefix: string | null; limit: number },
): Promise<SettledSale[]> {
  let rows = db
    .selectFrom('matches')
    .innerJoin('deals', 'deals.match_id', 'matches.match_id')
    .select([
      'matches.match_id',
      'matches.asset_key',
      'matches.price',
      'matches.settled_at',
      'matches.seller_owner as seller',
      'matches.buyer_owner as buyer',
      sql<boolean>`jsonb_path_exists(deals.findings, '$[*] ? (@.verdict == "FLAGGED")')`.as('flagged'),
    ])
    .where('matches.category', '=', query.category)
    .where('matches.settled_at', '>', query.since);
  if (query.prefix !== null) rows = rows.where(sql<boolean>`starts_with(matches.asset_key, ${query.prefix})`);
  const found = await rows
    .orderBy('matches.settled_at', 'desc')
    .orderBy('matches.match_id')
    .limit(query.limit)
    .execute();
  return found.map((r) => ({
    matchId: r.match_id,
    lot: r.asset_key,
    price: r.price,
    soldAt: r.settled_at as Date,
    flagged: r.flagged,
    seller: r.seller.toLowerCase(),
    buyer: r.buyer.toLowerCase(),
  }));
}

/** A sale of an imported list. `key` is `category:item@instant:price`. */
export interface ImportedSale {
  readonly key: string;
  readonly list: string;
  readonly flagged: boolean;
}

/** The imported sales of a category since a day, newest first, at most `limit` rows. */
export async function importedSales(
  db: Database,
  query: { category: string; since: Date; limit: number },
): Promise<ImportedSale[]> {
  const { rows } = await sql<{ key: string; source: string; flagged: string | null }>`
    select key, source, flagged from (
      select key, source, detail ->> 'flagged' as flagged,
        substring(key from '@([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z):[0-9.]+$') as sold
      from register_entries
      where register = 'comparables' and detail ->> 'category' = ${query.category}
    ) sales
    where sold > ${query.since.toISOString()}
    order by sold desc, key, source
    limit ${query.limit}`.execute(db);
  return rows.map((r) => ({
    key: r.key,
    list: r.source,
    flagged: /^(?:true|yes|1)$/i.test(r.flagged ?? ''),
  }));
}
