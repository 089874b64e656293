import { sql } from 'kysely';
import type { Micro } from '../../agents/money.ts';
import { nameOf } from '../../agents/names/name.ts';
import type { Database } from '../database.ts';
import { figureOf } from './auctions.ts';

/** A name for sale. Limits of bids are not among the columns read. */
export interface NameForSale {
  readonly name: string;
  readonly listingRef: string;
  /** The agent's account. */
  readonly seller: string;
  readonly ask: Micro;
  /** False where nothing but the seller's signed word says whose it is. */
  readonly proven: boolean;
  readonly listedAt: Date;
  readonly auction: {
    readonly auctionId: string;
    readonly format: 'dutch' | 'ascending';
    /** The starting price of a Dutch auction, the reserve of an ascending one. */
    readonly opening: Micro;
    readonly reserve: Micro;
    readonly figure: Micro;
    readonly startsAt: Date;
    readonly endsAt: Date;
  } | null;
}

export interface NameQuery {
  readonly now: Date;
  /** In its normalised spelling. */
  readonly name?: string;
  readonly tld?: string;
  readonly format?: 'buy-now' | 'dutch' | 'ascending';
  /** Starts after this listing, whatever was listed since. */
  readonly after?: string;
  readonly limit: number;
  readonly offset: number;
}

/** Names for sale, the newest first, at most `limit` rows. */
export async function listNames(db: Database, query: NameQuery): Promise<NameForSale[]> {
  let rows = db
    .selectFrom('listings')
    .innerJoin('agents', 'agents.handle', 'listings.handle')
    .leftJoin('auctions', (join) =>
      join.onRef('auctions.listing_ref', '=', 'listings.listing_ref').on('auctions.status', '=', 'open'),
    )
    .select([
      'listings.listing_ref',
      'listings.asset_key',
      'listings.ask',
      'listings.proven',
      'listings.listed_at',
      'agents.account',
      'auctions.auction_id',
      'auctions.format',
      'auctions.start_price',
      'auctions.reserve',
      'auctions.starts_at',
      'auctions.ends_at',
      'auctions.price',
    ])
    .where('listings.status', '=', 'live')
    .where('listings.asset_key', 'like', 'serial:name:%');
  if (query.name !== undefined) rows = rows.where('listings.asset_key', '=', `serial:name:${query.name}`);
  // A label may contain an underscore, which `like` would match with any character.
  if (query.tld !== undefined) {
    const tld = query.tld.replaceAll('_', '\\_');
    const last = query.tld.split('.').at(-1)!;
    rows = rows
      .where('listings.asset_key', 'like', `serial:name:%.${tld}`)
      .where(sql<boolean>`substring(listings.asset_key from '[^.:]*$') = ${last}`);
  }
  // Those in an auction are found from their auctions, which have the places of their listings.
  const inAuction = query.format === 'dutch' || query.format === 'ascending';
  const place = inAuction ? 'auctions.listing_seq' : 'listings.seq';
  if (query.format === 'buy-now') rows = rows.where('auctions.auction_id', 'is', null);
  else if (query.format !== undefined) rows = rows.where('auctions.format', '=', query.format);
  if (query.after !== undefined) {
    rows = rows.where(
      place,
      '<',
      db.selectFrom('listings as l').select('l.seq').where('l.listing_ref', '=', query.after),
    );
  }
  const found = await rows.orderBy(place, 'desc').limit(query.limit).offset(query.offset).execute();
  return found.map((r) => ({
    name: nameOf(r.asset_key) as string,
    listingRef: r.listing_ref,
    seller: r.account,
    ask: r.ask,
    proven: r.proven,
    listedAt: r.listed_at,
    auction: r.auction_id === null ? null : auctionOf(r as Running, query.now),
  }));
}

type Running = Parameters<typeof figureOf>[0] & { auction_id: string };

function auctionOf(row: Running, now: Date): NonNullable<NameForSale['auction']> {
  return {
    auctionId: row.auction_id,
    format: row.format,
    opening: row.start_price ?? row.reserve,
    reserve: row.reserve,
    figure: figureOf(row, now),
    startsAt: row.starts_at,
    endsAt: row.ends_at,
  };
}
