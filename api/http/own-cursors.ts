import { Type } from 'typebox';
import { badField } from '../../agents/errors.ts';
import type { SecretBox } from '../../runtime/webhooks/secret-box.ts';
import { type List, listEnvelope } from '../schemas.ts';
import { NOT_OURS, type PageAsked, placeOf } from './cursors.ts';

/**
 * Cursors of the lists that owners sign for. A cursor cannot name a row, because rows of some lists are deleted. Nor
 * may it carry a row's number among all owners' rows, which would show how much the others do. So it is an encrypted
 * position, together with the list and its owner. A cursor that this service did not make is refused before anybody is
 * asked to sign.
 */
export const ownCursor = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]{38,400}$',
    description:
      'the `next` of the page before, of the same list and agent or subscription: goes on there, whatever was written since; without `offset`',
  }),
);

/** A list and what it belongs to: an agent's handle, or a subscription. */
export interface OwnList {
  readonly name: 'orders' | 'deals' | 'log' | 'acts' | 'deliveries';
  readonly of: string;
}

/** What to ask the store for. */
export interface OwnRows<Place> {
  /** One row more than the page holds. */
  readonly limit: number;
  readonly offset: number;
  readonly after?: Place;
}

/**
 * @param read parses a position from its text
 * @throws AppError bad-request when the cursor is forged or of another list, or comes with an offset
 */
export function ownRows<Place>(
  secretBox: SecretBox,
  list: OwnList,
  asked: PageAsked,
  read: (text: string) => Place,
): OwnRows<Place> {
  const cursor = placeOf(asked.cursor, asked.offset);
  const from = { limit: asked.limit + 1, offset: asked.offset };
  return cursor === null ? from : { ...from, after: read(opened(secretBox, list, cursor)) };
}

function opened(secretBox: SecretBox, { name, of }: OwnList, cursor: string): string {
  let told: unknown;
  try {
    told = JSON.parse(secretBox.open(cursor));
  } catch {
    throw badField('cursor', NOT_OURS);
  }
  const [ofName, ofWhom, place] = told as readonly string[];
  if (ofName !== name || ofWhom !== of || place === undefined) throw badField('cursor', NOT_OURS);
  return place;
}

/** Makes a page and its `next` out of `limit + 1` rows. @param placeOf writes a row's position as text */
export function ownPage<Row, Shown>(
  secretBox: SecretBox,
  list: OwnList,
  rows: readonly Row[],
  { limit, offset }: PageAsked,
  { shown, place }: { shown: (row: Row) => Shown; place: (row: Row) => string },
): List<Shown> & { next?: string } {
  const page = listEnvelope(rows.map(shown), limit, offset);
  const last = rows[page.items.length - 1];
  if (last === undefined || !page.hasMore) return page;
  const sealed = secretBox.close(JSON.stringify([list.name, list.of, place(last)]));
  return { ...page, next: Buffer.from(sealed, 'base64').toString('base64url') };
}

/** Positions in lists whose rows are numbered. */
export const bySeq = {
  read: (text: string): bigint => BigInt(text),
  place: ({ seq }: { readonly seq: bigint }): string => String(seq),
};
