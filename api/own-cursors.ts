import { Type } from 'typebox';
import { badField } from '../agents/errors.ts';
import type { Seal } from '../runtime/webhooks/seal.ts';
import { NOT_OURS, type PageAsked, placeOf } from './cursors.ts';
import { type List, listEnvelope } from './schemas.ts';

/**
 * Cursors of the lists that owners sign for. The rows of some are forgotten while others stay, so none can be named; and
 * a place among everybody's rows would tell how much the others do. So a cursor is a place under seal, with the list and
 * whose it is: what this service did not give out is known as such before anybody is asked to sign.
 */
export const ownCursor = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]{38,400}$',
    description:
      'the `next` of the page before, of the same list and agent or subscription: goes on there, whatever was written since; without `offset`',
  }),
);

/** A list, and whose: an agent's handle, or a subscription. */
export interface OwnList {
  readonly name: 'orders' | 'deals' | 'log' | 'acts' | 'deliveries';
  readonly of: string;
}

/** What to ask the store for. */
export interface OwnRows<Place> {
  /** One row more than the page has. */
  readonly limit: number;
  readonly offset: number;
  readonly after?: Place;
}

/**
 * @param read makes a place of its text again
 * @throws AppError bad-request for a cursor of another list or of nobody's, and for one beside an offset
 */
export function ownRows<Place>(
  seal: Seal,
  list: OwnList,
  asked: PageAsked,
  read: (text: string) => Place,
): OwnRows<Place> {
  const cursor = placeOf(asked.cursor, asked.offset);
  const from = { limit: asked.limit + 1, offset: asked.offset };
  return cursor === null ? from : { ...from, after: read(opened(seal, list, cursor)) };
}

function opened(seal: Seal, { name, of }: OwnList, cursor: string): string {
  let told: unknown;
  try {
    told = JSON.parse(seal.open(cursor));
  } catch {
    throw badField('cursor', NOT_OURS);
  }
  const [ofName, ofWhom, place] = told as readonly string[];
  if (ofName !== name || ofWhom !== of || place === undefined) throw badField('cursor', NOT_OURS);
  return place;
}

/** The envelope of a page with its `next`, of `limit + 1` rows. @param placeOf a row, as text */
export function ownPage<Row, Shown>(
  seal: Seal,
  list: OwnList,
  rows: readonly Row[],
  { limit, offset }: PageAsked,
  { shown, place }: { shown: (row: Row) => Shown; place: (row: Row) => string },
): List<Shown> & { next?: string } {
  const page = listEnvelope(rows.map(shown), limit, offset);
  const last = rows[page.items.length - 1];
  if (last === undefined || !page.hasMore) return page;
  const sealed = seal.close(JSON.stringify([list.name, list.of, place(last)]));
  return { ...page, next: Buffer.from(sealed, 'base64').toString('base64url') };
}

/** Of the lists whose rows are numbered. */
export const bySeq = {
  read: (text: string): bigint => BigInt(text),
  place: ({ seq }: { readonly seq: bigint }): string => String(seq),
};
