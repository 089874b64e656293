import { sql } from 'kysely';
import type { Asset } from '../../agents/assets.ts';
import type { Micro } from '../../agents/money.ts';
import type { Database } from '../database.ts';
import { parsedAll } from '../parsed.ts';

/** A priced inventory row. The query does not read the floor, so that it cannot leak here. */
export interface CatalogueEntry {
  readonly listingRef: string;
  /** The agent's account. The agent is the counterparty of record, and not its owner. */
  readonly seller: string;
  readonly handle: string;
  readonly lot: string;
  readonly asset: Asset;
  readonly description: string;
  readonly ask: Micro;
  readonly negotiable: boolean;
  readonly category: string;
  readonly chain: string;
  readonly featured: boolean;
  /** False where nothing but the seller's signed word says whose it is. */
  readonly proven: boolean;
  readonly listedAt: Date;
}

export interface CatalogueQuery {
  readonly category?: string;
  /** Only this listing. */
  readonly listingRef?: string;
  /** CAIP-2. */
  readonly chain?: string;
  readonly max?: Micro;
  /** Words of the description, or their beginnings, in any case and order. */
  readonly q?: string;
  readonly negotiable?: boolean;
  /** Begins after this row at its present position, so that consecutive pages neither repeat nor miss a row. */
  readonly after?: CataloguePlace;
  readonly limit: number;
  readonly offset: number;
}

/** A row's place in the order of the catalogue. */
export interface CataloguePlace {
  readonly featured: boolean;
  readonly listingRef: string;
}

/**
 * The words of a search in Postgres syntax. They contain only letters and digits, so that nothing can be injected.
 * Null: none.
 */
function wordsOf(q: string): string | null {
  const words = q.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.map((word) => `'${word}':*`).join(' & ') ?? null;
}

/** What is for sale now: featured listings first, then the newest, at most `limit` rows. */
export async function listCatalogue(db: Database, query: CatalogueQuery): Promise<CatalogueEntry[]> {
  let rows = db
    .selectFrom('listings')
    .innerJoin('agents', 'agents.handle', 'listings.handle')
    .select([
      'listings.listing_ref',
      'listings.handle',
      'listings.asset_key',
      'listings.asset',
      'listings.description',
      'listings.ask',
      'listings.negotiable',
      'listings.category',
      'listings.chain',
      'listings.featured',
      'listings.proven',
      'listings.listed_at',
      'agents.account',
    ])
    .where('listings.status', '=', 'live')
    // Names have a list of their own that shows their auctions.
    .where('listings.asset_key', 'not like', 'serial:name:%');
  if (query.listingRef !== undefined) rows = rows.where('listings.listing_ref', '=', query.listingRef);
  if (query.category !== undefined) rows = rows.where('listings.category', '=', query.category);
  if (query.chain !== undefined) rows = rows.where('listings.chain', '=', query.chain);
  if (query.max !== undefined) rows = rows.where('listings.ask', '<=', query.max);
  if (query.negotiable !== undefined) rows = rows.where('listings.negotiable', '=', query.negotiable);
  if (query.q !== undefined && query.q.trim() !== '') {
    const words = wordsOf(query.q);
    if (words === null) return [];
    rows = rows.where(sql<boolean>`words_of(listings.description) @@ to_tsquery('simple', ${words})`);
  }
  if (query.after !== undefined) {
    const { featured, listingRef } = query.after;
    rows = rows.where(
      sql<boolean>`(listings.featured, listings.seq) < (${featured}, (select seq from listings as l where l.listing_ref = ${listingRef}))`,
    );
  }
  const found = await rows
    .orderBy('listings.featured', 'desc')
    .orderBy('listings.seq', 'desc')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return parsedAll('listings', found).map((r) => ({
    listingRef: r.listing_ref,
    seller: r.account,
    handle: r.handle,
    lot: r.asset_key,
    asset: r.asset,
    description: r.description,
    ask: r.ask,
    negotiable: r.negotiable,
    category: r.category,
    chain: r.chain,
    featured: r.featured,
    proven: r.proven,
    listedAt: r.listed_at,
  }));
}
