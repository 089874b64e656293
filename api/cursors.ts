import { createHash } from 'node:crypto';
import { type TSchema, Type } from 'typebox';
import { badField } from '../agents/errors.ts';
import type { CataloguePlace } from '../store/catalogue.ts';
import type { Database } from '../store/database.ts';
import type { BookPlace } from '../store/lots.ts';
import { isPlace } from '../store/places.ts';
import { type List, ListOf, listEnvelope } from './schemas.ts';
import type { CatalogueRow, OrderBookRow } from './shapes.ts';

/**
 * Pages that follow one another: `next` of one is `cursor` of the one after it. Rows that come or leave meanwhile move
 * nothing, where an `offset` counts anew each time. A cursor names a row that was shown, and so tells nothing else.
 */
export const cursor = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_.:-]{1,80}$',
    description: 'the `next` of the page before: goes on there, whatever was written since; without `offset`',
  }),
);

export const NOT_OURS = 'give the `next` of the page before, of this very list, as it was';

/** How long the cursor of the book may get: it tells a hundred lots from all others, and where to go on. */
const BOOK_CURSOR = '^[A-Za-z0-9_-]{0,1200}\\.[A-Za-z0-9_-]{0,270}$';

/**
 * A lot whose price moves goes to the front of the book, so a place in that order holds nobody's place. What moved last
 * comes on the first page; the pages after it have the rest of the book in the order of its keys, which nothing moves.
 */
export const bookCursor = Type.Optional(
  Type.String({
    pattern: BOOK_CURSOR,
    description:
      'the `next` of the page before: goes on through the lots that the first page did not show, by their keys, each once whatever moves; without `offset`',
  }),
);

/** The schema of a list that can be gone on from. */
export function PagesOf<T extends TSchema>(item: T) {
  return Type.Object({
    ...ListOf(item).properties,
    next: Type.Optional(
      Type.String({ description: 'given where more rows follow: the `cursor` of the next page' }),
    ),
  });
}

/** The envelope of a list with its `next`, of `limit + 1` rows. */
export function pageOf<T>(
  rows: readonly T[],
  { limit, offset }: { limit: number; offset: number },
  cursorOf: (row: T) => string,
): List<T> & { next?: string } {
  const list = listEnvelope(rows, limit, offset);
  const last = list.items.at(-1);
  return last === undefined || !list.hasMore ? list : { ...list, next: cursorOf(last) };
}

/** @returns null for a first page, or one by offset @throws AppError bad-request when both were given */
export function placeOf(place: string | undefined, offset: number): string | null {
  if (place === undefined) return null;
  if (offset !== 0) throw badField('offset', 'leave it out where there is a cursor');
  return place;
}

/** What to ask the store for: one row more than the page has. @throws AppError bad-request */
export function rowsFrom({ limit, offset, cursor: place }: PageAsked): {
  limit: number;
  offset: number;
  after?: string;
} {
  const after = placeOf(place, offset);
  return { limit: limit + 1, offset, ...(after === null ? {} : { after }) };
}

/**
 * Refuses a cursor that names no row of its list, such as another list's: an empty page would say that the list is over.
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

/** The parameters of a list, as they came. */
export interface PageAsked {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | undefined;
}

/** How many characters tell one lot from another: 72 bits of the hash of its key. */
const LOT_MARK = 12;

function lotMark(lot: string): string {
  return createHash('sha256').update(lot).digest('base64url').slice(0, LOT_MARK);
}

/** The book's page with its `next`; one asked for by `offset` has none, since it does not know what came before it. */
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
  return { shown: marks, lot: Buffer.from(lot, 'base64url').toString() };
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
