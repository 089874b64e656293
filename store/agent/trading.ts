import { sql } from 'kysely';
import { LEAST_OF_ASK } from '../../agents/agent/buying.ts';
import { siblingBefore } from '../../agents/agent/siblings.ts';
import type { Attributes } from '../../agents/market/pricing/model/attributes.ts';
import type { Micro } from '../../agents/money.ts';
import type { Database, Trx } from '../database.ts';
import type { OrderRow } from '../market/lots.ts';
import { parsed } from '../parsed.ts';
import { withOwnersWord } from './owners-word.ts';

/** Names are bought and bid on by their owners' word; no agent looks for them by itself. */
const NAMES = 'serial:name:%';

/** A lot of another agent that is for sale. Its floor and its description are not among what is read. */
export interface LotForSale {
  readonly listingRef: string;
  readonly lot: string;
  readonly category: string;
  readonly chain: string;
  readonly ask: Micro;
  readonly negotiable: boolean;
  readonly handle: string;
  readonly account: string;
  /** The seller's owner, as the agents' table and as its resting order name it, lower case. */
  readonly owners: readonly string[];
  /** Since when another agent of `owner` stands before it there. */
  readonly siblingSince: Date | null;
  /** What its seller signed of it; null where that is nothing. */
  readonly attributes: Attributes | null;
}

/** Which lots are looked for. */
interface LotsQuery {
  readonly handle: string;
  readonly owner: string;
  readonly categories: readonly string[];
  /** Only these lots, besides what it bids on; null: a page of all. */
  readonly among: readonly string[] | null;
  /** The largest limit that its mandate can allow: dearer lots are on no page. */
  readonly most: Micro;
  /** The page after this place, as the page before told it; null: the first. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * What is for sale in these categories by others, newest first a page of at most `limit`, and always what it bids on.
 * @returns `next`: where the page ended; null where no other follows
 */
export async function lotsForSale(
  db: Database,
  query: LotsQuery,
): Promise<{ readonly lots: LotForSale[]; readonly next: string | null }> {
  const rows = db
    .selectFrom('listings')
    .innerJoin('agents', 'agents.handle', 'listings.handle')
    .innerJoin('orders as sell', (join) =>
      join
        .onRef('sell.listing_ref', '=', 'listings.listing_ref')
        .on('sell.side', '=', 'sell')
        .on('sell.status', '=', 'resting'),
    )
    .select([
      'listings.listing_ref',
      'listings.asset_key',
      'listings.category',
      'listings.chain',
      'listings.ask',
      'listings.negotiable',
      'listings.handle',
      'listings.attributes',
      'agents.account',
      'agents.owner',
      'sell.owner as sell_owner',
      sql<string>`listings.listed_at || '|' || listings.seq`.as('place'),
    ])
    .where('listings.status', '=', 'live')
    .where('listings.asset_key', 'not like', NAMES)
    .where('listings.handle', '!=', query.handle);
  const bidOn = db
    .selectFrom('orders')
    .select('listing_ref')
    .where('handle', '=', query.handle)
    .where('side', '=', 'buy')
    .where('status', 'in', ['resting', 'unfunded']);
  const { among } = query;
  const named =
    among === null
      ? rows.where(newestOf(query))
      : rows
          .where('listings.asset_key', 'in', [...among])
          .where('listings.category', 'in', [...query.categories]);
  const [newest, standing] = await Promise.all([
    query.categories.length === 0 || among?.length === 0
      ? Promise.resolve([])
      : named
          .orderBy('listings.listed_at', 'desc')
          .orderBy('listings.seq', 'desc')
          // One more shows whether another page follows.
          .limit(query.limit + 1)
          .execute(),
    rows.where('listings.listing_ref', 'in', bidOn).execute(),
  ]);
  const page = newest.slice(0, query.limit);
  const found = new Map([...page, ...standing].map((r) => [r.listing_ref, r]));
  const before = await siblingsBefore(
    db,
    query,
    [...found.values()].map((r) => r.asset_key),
  );
  const lots = [...found.values()].map((r) => ({
    listingRef: r.listing_ref,
    lot: r.asset_key,
    category: r.category,
    chain: r.chain,
    ask: r.ask,
    negotiable: r.negotiable,
    handle: r.handle,
    account: r.account,
    owners: [r.owner.toLowerCase(), r.sell_owner.toLowerCase()],
    siblingSince: before.get(r.asset_key) ?? null,
    attributes: parsed('listings', r).attributes,
  }));
  return { lots, next: newest.length > query.limit ? page.at(-1)!.place : null };
}

/** Since when other agents of the owner stand before this one, by the lots on which they bid. */
async function siblingsBefore(
  db: Database,
  { handle, owner }: Pick<LotsQuery, 'handle' | 'owner'>,
  lots: readonly string[],
): Promise<ReadonlyMap<string, Date | null>> {
  if (lots.length === 0) return new Map();
  const bids = await db
    .selectFrom('orders')
    .select(['asset_key', 'handle', 'created_at'])
    .where('asset_key', 'in', lots)
    .where('side', '=', 'buy')
    .where('status', '=', 'resting')
    .where('owner', '=', owner)
    .where('handle', '!=', handle)
    .execute();
  if (bids.length === 0) return new Map();
  const worded = await withOwnersWord(db, owner, [handle, ...bids.map((bid) => bid.handle)]);
  return new Map(
    lots.map((lot) => {
      const siblings = bids
        .filter((bid) => bid.asset_key === lot)
        .map((bid) => ({ since: bid.created_at, hasWord: worded.has(bid.handle) }));
      return [lot, siblingBefore(worded.has(handle), siblings)] as const;
    }),
  );
}

/**
 * The newest of each category by its own index, which alone has the order by time: by their numbers Postgres might look for
 * them among all that was ever listed.
 */
function newestOf({ handle, categories, most, after, limit }: LotsQuery) {
  const [at, seq] = after?.split('|') ?? ['infinity', '0'];
  return sql<boolean>`listings.seq = any(array(
    select newest.seq from unnest(${[...categories]}::text[]) as asked (category) cross join lateral (
      select l.seq from listings l
      where l.category = asked.category and l.status = 'live' and l.asset_key not like 'serial:name:%'
        and (l.listed_at, l.seq) < (${at}::timestamptz, ${seq}::bigint)
        and l.handle <> ${handle} and case when l.negotiable then l.ask * ${LEAST_OF_ASK}::bigint / 100 else l.ask end <= ${most}
        and exists (select from orders o
          where o.listing_ref = l.listing_ref and o.side = 'sell' and o.status = 'resting')
      order by l.listed_at desc, l.seq desc limit ${limit + 1}
    ) newest))`;
}

/** What an agent has for sale, with the order that rests on it and the limits that were set on it. */
export interface OwnOffer {
  readonly listingRef: string;
  readonly category: string;
  readonly chain: string;
  readonly ask: Micro;
  readonly negotiable: boolean;
  readonly listedAt: Date;
  readonly attributes: Attributes | null;
  readonly order: OrderRow;
  readonly history: readonly { readonly orderId: string; readonly limit: Micro }[];
}

/** A page of what an agent has for sale as {@link lotsForSale} has them: what is named comes first, then the newest. */
export async function ownOffers(
  db: Database,
  { handle, among, after, limit }: Pick<LotsQuery, 'handle' | 'among' | 'after' | 'limit'>,
): Promise<{ readonly offers: OwnOffer[]; readonly next: string | null }> {
  const found = await db
    .selectFrom('listings')
    .selectAll()
    .where('handle', '=', handle)
    .where('asset_key', 'not like', NAMES)
    .where('status', '=', 'live')
    .$if(after !== null, (all) => all.where('seq', '<', BigInt(after!)))
    .$if(among !== null && among.length > 0, (all) =>
      all.orderBy((eb) => eb('asset_key', 'in', among!), 'desc'),
    )
    .orderBy('seq', 'desc')
    // One more shows whether another page follows.
    .limit(limit + 1)
    .execute();
  const listings = found.slice(0, limit);
  if (listings.length === 0) return { offers: [], next: null };
  const orders = await db
    .selectFrom('orders')
    .selectAll()
    .where('handle', '=', handle)
    .where('side', '=', 'sell')
    .where(
      'listing_ref',
      'in',
      listings.map((l) => l.listing_ref),
    )
    .orderBy('seq', 'desc')
    .execute();
  const offers = listings.flatMap((l) => {
    const own = orders.filter((o) => o.listing_ref === l.listing_ref);
    const order = own.find((o) => o.status === 'resting');
    if (!order) return [];
    return [
      {
        listingRef: l.listing_ref,
        category: l.category,
        chain: l.chain,
        ask: l.ask,
        negotiable: l.negotiable,
        listedAt: l.listed_at,
        attributes: parsed('listings', l).attributes,
        order,
        history: own.map((o) => ({ orderId: o.order_id, limit: o.limit_price })),
      },
    ];
  });
  return { offers, next: found.length > limit ? String(listings.at(-1)!.seq) : null };
}

/** The buy orders that an agent has resting, or unfunded. */
export async function ownBuys(db: Database, handle: string): Promise<OrderRow[]> {
  return await db
    .selectFrom('orders')
    .selectAll()
    .where('handle', '=', handle)
    .where('asset_key', 'not like', NAMES)
    .where('side', '=', 'buy')
    .where('status', 'in', ['resting', 'unfunded'])
    .orderBy('seq')
    .execute();
}

/** Whether another agent of this owner stands before it on the lot, whose lock the caller holds. */
export async function ownerBidsAlready(
  trx: Trx,
  query: { assetKey: string; handle: string; owner: string; besides: string },
): Promise<boolean> {
  const rows = await trx
    .selectFrom('orders')
    .select(['handle', 'created_at'])
    .where('asset_key', '=', query.assetKey)
    .where('side', '=', 'buy')
    .where('status', '=', 'resting')
    .where('owner', '=', query.owner)
    .where('order_id', '!=', query.besides)
    .execute();
  if (rows.length === 0) return false;
  const worded = await withOwnersWord(trx, query.owner, [query.handle, ...rows.map(({ handle }) => handle)]);
  const siblings = rows.map((row) => ({ since: row.created_at, hasWord: worded.has(row.handle) }));
  return siblingBefore(worded.has(query.handle), siblings) !== null;
}

/** How many orders of an agent lie on the book, or wait for money. */
export async function countResting(db: Database, handle: string): Promise<number> {
  const { n } = await db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('handle', '=', handle)
    .where('status', 'in', ['resting', 'unfunded'])
    .executeTakeFirstOrThrow();
  return Number(n);
}
