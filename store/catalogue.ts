import type { Asset } from '../agents/assets.ts';
import type { Micro } from '../agents/money.ts';
import type { Database } from './database.ts';

/** A priced inventory row. The floor is not among the columns read: it cannot get out this way. */
export interface CatalogueEntry {
  readonly listingRef: string;
  /** The agent's account: the agent, not its owner, is the counterparty of record. */
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
  readonly listedAt: Date;
}

export interface CatalogueQuery {
  readonly category?: string;
  /** CAIP-2. */
  readonly chain?: string;
  readonly max?: Micro;
  /** Words of the description, in any case. */
  readonly q?: string;
  readonly limit: number;
  readonly offset: number;
}

/** What is for sale now: featured first, then newest, at most `limit` rows. */
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
      'listings.listed_at',
      'agents.account',
    ])
    .where('listings.status', '=', 'live');
  if (query.category !== undefined) rows = rows.where('listings.category', '=', query.category);
  if (query.chain !== undefined) rows = rows.where('listings.chain', '=', query.chain);
  if (query.max !== undefined) rows = rows.where('listings.ask', '<=', query.max);
  for (const word of query.q?.split(/\s+/).filter((w) => w !== '') ?? []) {
    rows = rows.where('listings.description', 'ilike', `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  }
  const found = await rows
    .orderBy('listings.featured', 'desc')
    .orderBy('listings.seq', 'desc')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return found.map((r) => ({
    listingRef: r.listing_ref,
    seller: r.account,
    handle: r.handle,
    lot: r.asset_key,
    asset: r.asset as Asset,
    description: r.description,
    ask: r.ask,
    negotiable: r.negotiable,
    category: r.category,
    chain: r.chain,
    featured: r.featured,
    listedAt: r.listed_at,
  }));
}
