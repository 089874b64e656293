import type { Attributes } from '../../agents/market/pricing/model/attributes.ts';
import type { Micro } from '../../agents/money.ts';
import { type Database, run, type Statement } from '../database.ts';
import { plannedForAny } from '../planning-client.ts';

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
  /** What its seller told of it; null where nothing was told. */
  readonly attributes: Attributes | null;
}

const SALE = `
    select m.match_id, m.asset_key, m.price, m.settled_at, m.seller_owner as seller, m.buyer_owner as buyer,
      jsonb_path_exists(d.findings, '$[*] ? (@.verdict == "FLAGGED")') as flagged, l.attributes`;
const OF_MATCH = `join matches m using (match_id) join deals d using (match_id)
    join orders o on o.order_id = m.sell_order join listings l on l.listing_ref = o.listing_ref`;

const NEWEST: Statement = {
  name: 'newest-sales',
  text: `${SALE} from (
      select match_id from matches where category = $1 and settled_at > $2
      order by settled_at desc, match_id limit $3
    ) found ${OF_MATCH} order by m.settled_at desc, m.match_id`,
};

const NEWEST_OF_KIND: Statement = {
  name: 'newest-sales-of-kind',
  text: `${SALE} from (
      select match_id from matches where category = $1 and settled_at > $2 and kind_prefix(asset_key) = $4::text
      order by settled_at desc, match_id limit $3
    ) found ${OF_MATCH} order by m.settled_at desc, m.match_id`,
};

const OF_MATCHES: Statement = {
  name: 'sales-of-matches',
  text: `${SALE} from unnest($1::text[]) as found (match_id) ${OF_MATCH} where m.settled_at is not null`,
};

type SaleRow = Pick<SettledSale, 'price' | 'flagged' | 'seller' | 'buyer' | 'attributes'> & {
  match_id: string;
  asset_key: string;
  settled_at: Date;
};

/**
 * The deals of a category that settled since a day, newest first, at most `limit` rows.
 * @param query.prefix only those of the kind of goods that it is of (`kindPrefix`); null: all
 */
export async function settledSales(
  db: Database,
  { category, since, prefix, limit }: { category: string; since: Date; prefix: string | null; limit: number },
): Promise<SettledSale[]> {
  const rows =
    prefix === null
      ? await run<SaleRow>(db, NEWEST, [category, since, limit])
      : await run<SaleRow>(db, NEWEST_OF_KIND, [category, since, limit, prefix]);
  return rows.map(saleOf);
}

/** Those of these matches that are settled now. */
export async function salesOfMatches(db: Database, matchIds: readonly string[]): Promise<SettledSale[]> {
  return matchIds.length === 0 ? [] : (await run<SaleRow>(db, OF_MATCHES, [matchIds])).map(saleOf);
}

function saleOf(r: SaleRow): SettledSale {
  return {
    matchId: r.match_id,
    lot: r.asset_key,
    price: r.price,
    soldAt: r.settled_at,
    flagged: r.flagged,
    seller: r.seller.toLowerCase(),
    buyer: r.buyer.toLowerCase(),
    attributes: r.attributes,
  };
}

/** A sale of an imported list. `key` is `category:item@instant:price`. */
export interface ImportedSale {
  readonly key: string;
  readonly list: string;
  readonly flagged: boolean;
  /** The other columns of its row. */
  readonly attributes: Attributes;
}

const IMPORTED: Statement = {
  name: 'imported-sales',
  text: `
    select key, source, flagged, detail from (
      select key, source, detail ->> 'flagged' as flagged, detail,
        substring(key from '@([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z):[0-9.]+$') as sold
      from register_entries
      where register = 'comparables' and detail ->> 'category' = $1
    ) sales
    where sold > $2
    order by sold desc, key, source
    limit $3`,
};

/** The imported sales of a category since a day, newest first, at most `limit` rows. */
export async function importedSales(
  db: Database,
  query: { category: string; since: Date; limit: number },
): Promise<ImportedSale[]> {
  const { category, since, limit } = query;
  const rows = await run<{ key: string; source: string; flagged: string | null; detail: Attributes }>(
    db,
    IMPORTED,
    [category, since.toISOString(), limit],
  );
  return rows.map((r) => ({
    key: r.key,
    list: r.source,
    flagged: /^(?:true|yes|1)$/i.test(r.flagged ?? ''),
    attributes: r.detail,
  }));
}

/** How the past sales of a category stand. */
export interface SalesVersion {
  /** One more whenever a settled sale is another than before. */
  readonly version: bigint;
  /** The matches of the last changes, the newest first: the one that made this version, and those before it. */
  readonly changed: readonly string[];
  /** Another text whenever the imported sales are others. */
  readonly imports: string;
}

const VERSIONS = plannedForAny(
  {
    name: 'sales-versions',
    text: `
      select c.category, coalesce(v.version, 0) as version, coalesce(v.changed, '{}') as changed, coalesce((
          select string_agg(source || ':' || import_id, ' ' order by source) from register_lists
          where register = 'comparables'
        ), '') as imports
      from unnest($1::text[]) as c(category) left join sales_versions v using (category)`,
  },
  ['text[]'],
);

/** By category. Sales that are read after it are of this version or a later one. */
export async function salesVersions(
  db: Database,
  categories: readonly string[],
): Promise<ReadonlyMap<string, SalesVersion>> {
  const rows = await run<SalesVersion & { category: string }>(db, VERSIONS, [[...new Set(categories)]]);
  return new Map(rows.map(({ category, ...version }) => [category, version]));
}
