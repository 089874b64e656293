import { createHash } from 'node:crypto';
import { type TSchema, Type } from 'typebox';
import { parseAssetKey } from '../../agents/assets.ts';
import { badField } from '../../agents/errors.ts';
import type { Database } from '../../store/database.ts';
import type { CataloguePlace } from '../../store/market/catalogue.ts';
import type { BookPlace } from '../../store/market/lots.ts';
import { isPlace } from '../../store/market/places.ts';
import { type List, ListOf, listEnvelope } from '../schemas.ts';
import type { CatalogueRow, OrderBookRow } from '../shapes.ts';

/**
 * Cursors of lists: the `next` of one page is the `cursor` of the page after it. Unlike an `offset`, it does not shift
 * when rows come or go in between. It names a row that the caller was shown, so it reveals nothing else.
 */
export const cursor = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_.:-]{1,80}$',
    description: 'the `next` of the page before: goes on there, whatever was written since; without `offset`',
  }),
);

export const NOT_OURS = 'give the `next` of the page before, of this very list, as it was';

/** The longest cursor of the order book: marks of a hundred lots that were shown, and the key to go on from. */
const BOOK_CURSOR = '^[A-Za-z0-9_-]{0,1200}\\.[A-Za-z0-9_-]{0,270}$';

/**
 * A lot whose price moves goes to the front of the book, so a position in that order does not stay put. The first page
 * shows what moved last; the pages after it have the rest of the book in the order of its keys, which never change.
 */
export const bookCursor = Type.Optional(
  Type.String({
    pattern: BOOK_CURSOR,
    description:
      'the `next` of the page before: goes on through the lots that the first page did not show, by their keys, each once whatever moves; without `offset`',
  }),
);

/** The schema of a list that has pages. */
export function PagesOf<T extends TSchema>(item: T) {
  return Type.Object({
    ...ListOf(item).properties,
    next: Type.Optional(
      Type.String({ description: 'given where more rows follow: the `cursor` of the next page' }),
    ),
  });
}

/** Makes a page and its `next` out of `limit + 1` rows. */
export function pageOf<T>(
  rows: readonly T[],
  { limit, offset }: { limit: number; offset: number },
  cursorOf: (row: T) => string,
): List<T> & { next?: string } {
  const list = listEnvelope(rows, limit, offset);
  const last = list.items.at(-1);
  return last === undefined || !list.hasMore ? list : { ...list, next: cursorOf(last) };
}

/**
 * @returns null for the first page, and for one by offset
 * @throws AppError bad-request when cursor and offset were both given
 */
export function placeOf(place: string | undefined, offset: number): string | null {
  if (place === undefined) return null;
  if (offset !== 0) throw badField('offset', 'leave it out where there is a cursor');
  return place;
}

/**
 * What to ask the store for: one row more than the page holds, which tells whether there is a next page.
 * @throws AppError bad-request
 */
export function rowsFrom({ limit, offset, cursor: place }: PageAsked): {
  limit: number;
  offset: number;
  after?: string;
} {
  const after = placeOf(place, offset);
  return { limit: limit + 1, offset, ...(after === null ? {} : { after }) };
}

/**
 * Refuses a cursor that names no row of its list, such as a cursor of another list: an empty page would say that the
 * list has ended.
 * @throws AppError bad-request
 */
export async function requirePlace(
  db: Database,
  rows: readonly unknown[],
  list: Parameters<typeof isPlace>[1],
  after: string | undefined,
): Promise<void> {
  if (rows.length > 0 || after === undefined || (await isPlace(db, list, after))) return;
  throw badField('cursor', NOT_OURS);
}

/** The paging parameters of a list, as they came. */
export interface PageAsked {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | undefined;
}

/** The characters that identify a lot in a cursor: 72 bits of the hash of its key. */
const LOT_MARK = 12;

function lotMark(lot: string): string {
  return createHash('sha256').update(lot).digest('base64url').slice(0, LOT_MARK);
}

/**
 * A page of the book and its `next`. A page by `offset` has no `next`, because it does not know which lots were shown
 * before it.
 */
export function bookPageOf(
  rows: readonly OrderBookRow[],
  page: { limit: number; offset: number },
  from: BookPlace | null,
): List<OrderBookRow> & { next?: string } {
  if (page.offset !== 0) return listEnvelope(rows, page.limit, page.offset);
  const list = listEnvelope(rows, page.limit, page.offset);
  const last = list.items.at(-1);
  if (last === undefined || !list.hasMore) return list;
  const shown = from === null ? list.items.map((row) => lotMark(row.lot)) : from.shown;
  const place = from === null ? '' : Buffer.from(last.lot).toString('base64url');
  return { ...list, next: `${shown.join('')}.${place}` };
}

/** @throws AppError bad-request */
export function bookFrom(place: string): BookPlace {
  const [shown = '', lot = ''] = place.split('.');
  if (shown.length === 0 || shown.length % LOT_MARK !== 0) throw badField('cursor', NOT_OURS);
  const marks = Array.from({ length: shown.length / LOT_MARK }, (_, i) =>
    shown.slice(i * LOT_MARK, (i + 1) * LOT_MARK),
  );
  return { shown: marks, lot: lot === '' ? '' : lotAt(lot) };
}

/** The key in a cursor. What is no key names no row of the book, and may be text that no database takes. */
function lotAt(place: string): string {
  const lot = Buffer.from(place, 'base64url').toString();
  try {
    parseAssetKey(lot);
  } catch {
    throw badField('cursor', NOT_OURS);
  }
  return lot;
}

export function catalogueCursor({ featured, listingRef }: CatalogueRow): string {
  return `${featured ? 'featured' : 'listed'}:${listingRef}`;
}

/** @throws AppError bad-request */
export function catalogueFrom(place: string): CataloguePlace {
  const [, kind, listingRef] = /^(featured|listed):(.+)$/.exec(place) ?? [];
  if (listingRef === undefined) throw badField('cursor', NOT_OURS);
  return { featured: kind === 'featured', listingRef };
}
