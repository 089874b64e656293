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
  const { format } = query;
  const found =
    format === 'dutch' || format === 'ascending'
      ? await namesInAuction(db, query, format)
      : await namesInAll(db, query);
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

/** Of all names, or of those that are in no auction. */
async function namesInAll(db: Database, query: NameQuery) {
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
  if (query.name !== undefined) rows = rows.where('listings.asset_key', '=', keyOf(query.name));
  if (query.tld !== undefined) {
    const { pattern, last } = tldOf(query.tld);
    rows = rows
      .where('listings.asset_key', 'like', pattern)
      .where(sql<boolean>`substring(listings.asset_key from '[^.:]*$') = ${last}`);
  }
  // Not by what the join has not found: Postgres would take that for a row or none, and join them all.
  if (query.format === 'buy-now')
    rows = rows.where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('auctions as own')
            .select('own.auction_id')
            .whereRef('own.listing_ref', '=', 'listings.listing_ref')
            .where('own.status', '=', 'open'),
        ),
      ),
    );
  if (query.after !== undefined) {
    rows = rows.where(
      'listings.seq',
      '<',
      db.selectFrom('listings as l').select('l.seq').where('l.listing_ref', '=', query.after),
    );
  }
  return await rows.orderBy('listings.seq', 'desc').limit(query.limit).offset(query.offset).execute();
}

type NameRow = Awaited<ReturnType<typeof namesInAll>>[number];

/** From the auctions, which have the places of their listings; each listing is looked up by itself. */
async function namesInAuction(
  db: Database,
  { name, tld, after, limit, offset }: NameQuery,
  format: 'dutch' | 'ascending',
): Promise<NameRow[]> {
  const named = name === undefined ? sql`` : sql`and l.asset_key = ${keyOf(name)}`;
  const under = tld === undefined ? sql`` : sql`and l.asset_key like ${tldOf(tld).pattern}`;
  const from =
    after === undefined
      ? sql``
      : sql`and a.listing_seq < (select seq from listings where listing_ref = ${after})`;
  const { rows } = await sql<NameRow>`
    select l.listing_ref, l.asset_key, l.ask, l.proven, l.listed_at, g.account,
      a.auction_id, a.format, a.start_price, a.reserve, a.starts_at, a.ends_at, a.price
    from auctions a
    cross join lateral (
      select * from listings l where l.listing_ref = a.listing_ref and l.status = 'live'
        and l.asset_key like 'serial:name:%' ${named} ${under} limit 1
    ) l
    join agents g on g.handle = l.handle
    where a.status = 'open' and a.format = ${format} ${from}
    order by a.listing_seq desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

function keyOf(name: string): string {
  return `serial:name:${name}`;
}

/** A label may contain an underscore, which `like` would match with any character. */
function tldOf(tld: string): { readonly pattern: string; readonly last: string } {
  return { pattern: `serial:name:%.${tld.replaceAll('_', '\\_')}`, last: tld.split('.').at(-1)! };
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
