import { type TSchema, Type } from 'typebox';
import { badField } from '../agents/errors.ts';
import type { CataloguePlace } from '../store/catalogue.ts';
import { type List, ListOf, listEnvelope } from './schemas.ts';
import type { CatalogueRow } from './shapes.ts';

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

export function catalogueCursor({ featured, listingRef }: CatalogueRow): string {
  return `${featured ? 'featured' : 'listed'}:${listingRef}`;
}

/** @throws AppError bad-request */
export function catalogueFrom(place: string): CataloguePlace {
  const [, kind, listingRef] = /^(featured|listed):(.+)$/.exec(place) ?? [];
  if (listingRef === undefined) throw badField('cursor', 'give the `next` of the page before, as it was');
  return { featured: kind === 'featured', listingRef };
}
