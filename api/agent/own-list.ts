import type { Services } from '../../runtime/services.ts';
import type { Request } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import type { PageAsked } from '../http/cursors.ts';
import { type OwnList, type OwnRows, ownPage, ownRows } from '../http/own-cursors.ts';
import type { List } from '../schemas.ts';
import { readOwnTime } from './own-time.ts';

/** One list of an agent's past, and how the position of a row is written. */
interface AskedList<Place, Row> {
  readonly name: OwnList['name'];
  readonly handle: string;
  /** What is signed, without the words about an earlier owner's time. */
  readonly statement: string;
  readonly query: PageAsked & { readonly owner?: string | undefined };
  readonly places: { read(text: string): Place; place(row: Row): string };
}

interface OwnTimeList<Place, Row> {
  /** Whose time may be shown, and the rows to ask the store for. */
  readonly owner: string;
  readonly page: OwnRows<Place>;
  /** Makes the page of the rows that were found. */
  paged<Found extends Row, Shown>(
    rows: readonly Found[],
    shown: (row: Found) => Shown,
  ): List<Shown> & { next?: string };
}

/**
 * Reads which page of an agent's past is asked for, and requires the signature of the owner in whose time it was. A cursor
 * that is not ours is refused before anybody is asked to sign.
 * @throws AppError bad-request, and as {@link readOwnTime}
 */
export async function readOwnList<Place, Row>(
  services: Services,
  requireOwner: RequireOwner,
  request: Request,
  { name, handle, statement, query, places }: AskedList<Place, Row>,
): Promise<OwnTimeList<Place, Row>> {
  const { cursorSecretBox: secretBox } = services;
  const list = { name, of: handle };
  const page = ownRows(secretBox, list, query, places.read);
  const owner = await readOwnTime(services, requireOwner, request, { handle, statement, owner: query.owner });
  return {
    owner,
    page,
    paged: (rows, shown) => ownPage(secretBox, list, rows, query, { shown, place: places.place }),
  };
}
