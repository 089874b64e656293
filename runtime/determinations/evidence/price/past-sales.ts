import { parseAssetKey } from '../../../../agents/assets.ts';
import type { Category } from '../../../../agents/categories.ts';
import { OWN_SALES } from '../../../../agents/determinations/price/price-sources.ts';
import {
  type Comparable,
  itemIdentity,
  kindOf,
  SIMILARITIES,
  type Similarity,
} from '../../../../agents/market/pricing/comparables.ts';
import {
  type Attributes,
  groupsOf,
  identityOf,
  told as toldBy,
} from '../../../../agents/market/pricing/model/attributes.ts';
import { formatUsd } from '../../../../agents/money.ts';
import type { ImportedSale, SettledSale } from '../../../../store/market/comparables.ts';

/** How many sales evidence contains: the most similar first, then the newest. */
const MOST_KEPT = 250;

/** A sale as it is read, before it is compared with a lot or seen by anybody. */
export interface PastSale extends Pick<Comparable, 'id' | 'source' | 'soldAt' | 'priceUsd'> {
  /** The key and the kind of what was sold; null when they are not known. */
  readonly key: string | null;
  readonly kind: string | null;
  readonly flagged: boolean;
  /** The two traded before, and that sale counts. */
  readonly repeat: boolean;
  /** What was told of the thing sold; null where nothing was. */
  readonly attributes: Attributes | null;
  /** Lower-case wallets of the two sides; none for an imported sale. */
  readonly sides: readonly string[];
}

/** The past sales nearest to a lot, with how near each is, and how many more there are. */
export interface NearestSales {
  readonly sales: readonly { readonly sale: PastSale; readonly similarity: Similarity }[];
  readonly leftOut: number;
}

/** A sale as it stands in a list, where it may follow another one of the same pair. */
interface Prepared {
  readonly pair: string;
  readonly first: PastSale;
  readonly again: PastSale;
}

/** A sale is prepared once, and the same object in however many lists of sales it stands: each new sale makes a list. */
const PREPARED = new WeakMap<SettledSale, Prepared>();

/** Prepares settled sales, newest first: of each pair only the newest counts. */
export function settledPast(settled: readonly SettledSale[]): readonly PastSale[] {
  const pairs = new Set<string>();
  return settled.map((s): PastSale => {
    const { pair, first, again } = preparedOf(s);
    const sale = pairs.has(pair) ? again : first;
    if (!s.flagged) pairs.add(pair);
    return sale;
  });
}

function preparedOf(s: SettledSale): Prepared {
  const known = PREPARED.get(s);
  if (known !== undefined) return known;
  const sale: PastSale = {
    id: s.matchId,
    source: OWN_SALES,
    soldAt: s.soldAt.toISOString(),
    priceUsd: formatUsd(s.price),
    key: s.lot,
    kind: kindOf(parseAssetKey(s.lot)),
    flagged: s.flagged,
    repeat: false,
    attributes: attributesFor(s.lot, s.attributes),
    sides: [s.seller, s.buyer],
  };
  const pair = [s.seller, s.buyer].sort().join(' ');
  const prepared = { pair, first: sale, again: { ...sale, repeat: true } };
  PREPARED.set(s, prepared);
  return prepared;
}

/** Prepares imported sales; those whose key cannot be read are left out. */
export function importedPast(imported: readonly ImportedSale[], category: Category): readonly PastSale[] {
  return imported.flatMap((row) => {
    const found = /^(.*)@([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z):([0-9.]+)$/s.exec(
      row.key.slice(category.length + 1),
    );
    if (found === null) return [];
    const [, item = '', soldAt = '', priceUsd = ''] = found;
    const identity = itemIdentity(item);
    return {
      attributes: attributesFor(identity.key, row.attributes),
      ...{ id: row.key, source: `comparables/${row.list}`, soldAt, priceUsd },
      ...identity,
      ...{ flagged: row.flagged, repeat: false, sides: [] },
    };
  });
}

/** The newest first; of one moment by id. */
export function newestFirst(sales: readonly PastSale[]): readonly PastSale[] {
  return [...sales].sort((a, b) =>
    a.soldAt === b.soldAt ? (a.id < b.id ? -1 : 1) : a.soldAt > b.soldAt ? -1 : 1,
  );
}

/** What is told of a thing, and what its own VIN tells; null where that is nothing that tells a price. */
export function attributesFor(key: string | null, told: Attributes | null): Attributes | null {
  const [, vin] = /^serial:vin:(.+)$/.exec(key ?? '') ?? [];
  const all = { ...told, ...(vin === undefined ? {} : { vin }) };
  return identityOf(toldBy(all)) === null ? null : all;
}

/**
 * @param sales newest first
 * @param attributes what is told of the lot: sales of the category with its identity are nearer than others
 */
export function nearestSales(
  sales: readonly PastSale[],
  lot: string | null,
  attributes: Attributes | null = null,
): NearestSales {
  const kind = lot === null ? null : kindOf(parseAssetKey(lot));
  const near: Record<Similarity, PastSale[]> = { 'same-asset': [], 'same-kind': [], 'same-category': [] };
  for (const sale of sales) near[similarityOf(sale, lot, kind)].push(sale);
  if (attributes !== null) near['same-category'] = [...near['same-category']].sort(likeFirst(attributes));
  const nearest = SIMILARITIES.flatMap((similarity) =>
    near[similarity].map((sale) => ({ sale, similarity })),
  );
  return { sales: nearest.slice(0, MOST_KEPT), leftOut: Math.max(0, sales.length - MOST_KEPT) };
}

/** Those that are alike by their attributes first, then those of one maker or another first text, then those that tell any. */
function likeFirst(attributes: Attributes): (a: PastSale, b: PastSale) => number {
  const own = likenessOf(attributes);
  const ranks = new Map<PastSale, number>();
  const rank = (sale: PastSale): number => {
    const known = ranks.get(sale);
    if (known !== undefined) return known;
    const other = sale.attributes === null ? null : likenessOf(sale.attributes);
    const shared =
      other === null ? 0 : [...other.groups].filter(([name, level]) => own.groups.get(name) === level).length;
    const found = other === null ? -1 : other.identity === own.identity ? 100 + shared : shared;
    ranks.set(sale, found);
    return found;
  };
  return (a, b) => rank(b) - rank(a);
}

interface Likeness {
  readonly identity: ReturnType<typeof identityOf>;
  readonly groups: ReturnType<typeof groupsOf>;
}

/** What is told of a sale is read once, however many lots it is compared with. */
const LIKENESSES = new WeakMap<Attributes, Likeness>();

function likenessOf(attributes: Attributes): Likeness {
  const known = LIKENESSES.get(attributes);
  if (known !== undefined) return known;
  const told = toldBy(attributes);
  const likeness = { identity: identityOf(told), groups: groupsOf(told) };
  LIKENESSES.set(attributes, likeness);
  return likeness;
}

/** The sales as the sides of a deal see them: their own trades do not count. */
export function seenBy(parties: readonly string[], { sales }: NearestSales): readonly Comparable[] {
  return sales.map(
    ({ sale: { id, source, soldAt, priceUsd, flagged, repeat, sides, attributes }, similarity }) => {
      const party = sides.some((side) => parties.includes(side));
      const dropped = flagged ? 'flagged' : party ? 'party' : repeat ? 'repeat' : null;
      const sale = { id, source, soldAt, priceUsd, similarity, dropped } as const;
      return attributes === null ? sale : { ...sale, attributes };
    },
  );
}

function similarityOf(
  sale: Pick<PastSale, 'key' | 'kind'>,
  lot: string | null,
  kind: string | null,
): Similarity {
  if (lot !== null && sale.key === lot) return 'same-asset';
  return kind !== null && sale.kind === kind ? 'same-kind' : 'same-category';
}
