import { type Static, Type } from 'typebox';
import type { Asset } from '../../agents/assets.ts';
import type { EventKind, PublicEvent } from '../../store/records/public-events.ts';
import { type ActivityPlace, activityRow } from '../agent/agents.ts';
import { bookRow, catalogueRow, closeCallRow, matchRow } from '../market/market.ts';
import { AssetKey, CategoryName, ChainName, Handle, Time } from '../schemas.ts';
import { ActivityRow, CatalogueRow, CloseCallRow, MatchRow, OrderBookRow } from '../shapes.ts';

const Left = Type.Object({
  listingRef: Type.String(),
  lot: AssetKey,
  category: CategoryName,
  chain: ChainName,
  live: Type.Literal(false),
});
const Closed = Type.Object({
  lot: AssetKey,
  category: CategoryName,
  chain: ChainName,
  open: Type.Literal(false),
  updatedAt: Time,
});
const Reset = Type.Object({
  reason: Type.Enum(['too-old', 'unknown']),
  oldest: Type.String(),
  latest: Type.String(),
});

/** The `data` of each event by its name: the same row that the list shows, and whether it is still in the list. */
export const EVENT_DATA = {
  match: MatchRow,
  'close-call': CloseCallRow,
  listing: Type.Union([Type.Intersect([CatalogueRow, Type.Object({ live: Type.Literal(true) })]), Left]),
  'order-book': Type.Union([
    Type.Intersect([OrderBookRow, Type.Object({ open: Type.Literal(true) })]),
    Closed,
  ]),
  activity: Type.Intersect([Type.Object({ handle: Handle }), ActivityRow]),
  reset: Reset,
} as const;

type Data = { readonly [K in EventKind]: Static<(typeof EVENT_DATA)[K]> };

/** An event as it goes over the wire, and the fields by which listeners choose. */
export interface WireEvent {
  readonly id: bigint;
  readonly kind: EventKind;
  readonly data: Data[EventKind];
  /** Its bytes (HTML standard, 9.2.5), made once for all listeners. */
  readonly frame: Buffer;
}

export type ToWire = (event: PublicEvent) => WireEvent;

/** Writes events in the same form as the rows of the lists. @param place where records can be read */
export function wireEvents(place: ActivityPlace): ToWire {
  return (event) => {
    const data = dataOf(event, place);
    return framed(event, data);
  };
}

function framed({ id, kind }: Pick<WireEvent, 'id' | 'kind'>, data: WireEvent['data']): WireEvent {
  const text = `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
  return { id, kind, data, frame: Buffer.from(text) };
}

/**
 * Events that were told before others, as they are told from then on: of a match that was stopped since, none shows the
 * price at which it would have cleared.
 */
export function withoutStoppedPrices(
  before: readonly WireEvent[],
  since: readonly WireEvent[],
): readonly WireEvent[] {
  const stopped = new Set(since.flatMap((e) => stoppedMatch(e) ?? []));
  if (stopped.size === 0) return before;
  return before.map((event) => {
    if (event.kind !== 'match') return event;
    const { clearingPriceUsd: _, settledAt: __, tx: ___, ...row } = event.data as Data['match'];
    return stopped.has(row.matchId) ? framed(event, { ...row, state: 'stopped' }) : event;
  });
}

function stoppedMatch({ kind, data }: WireEvent): string | null {
  if (kind !== 'match') return null;
  const { matchId, state } = data as Data['match'];
  return state === 'stopped' ? matchId : null;
}

/**
 * What a listener gets first when its last id cannot be resumed from: it must read the lists again, and events continue
 * from `latest`.
 */
export function resetFrame(told: Static<typeof Reset>): string {
  return `id: ${told.latest}\nevent: reset\ndata: ${JSON.stringify(told)}\n\n`;
}

// biome-ignore lint/suspicious/noExplicitAny: written by the triggers of the schema, column by column
type Body = Record<string, any>;

function dataOf({ kind, body }: PublicEvent, place: ActivityPlace): Data[EventKind] {
  const b: Body = body;
  const { live, open, price, ...rest } = b;
  switch (kind) {
    case 'match':
      return matchRow({
        matchId: b.matchId,
        lot: b.lot,
        category: b.category,
        chain: b.chain,
        price: BigInt(price),
        matchedAt: new Date(b.matchedAt),
        settledAt: b.settledAt === null ? null : new Date(b.settledAt),
        tx: b.tx,
        // Older events carry no state.
        state: b.state ?? (b.settledAt === null ? 'settling' : 'settled'),
      });
    case 'close-call':
      return closeCallRow({
        closeCallId: b.closeCallId,
        lot: b.lot,
        category: b.category,
        chain: b.chain,
        hour: new Date(b.hour),
      });
    case 'listing':
      if (!live) return { ...(rest as Omit<Static<typeof Left>, 'live'>), live: false };
      return {
        ...catalogueRow({
          listingRef: b.listingRef,
          seller: b.seller,
          lot: b.lot,
          asset: b.asset as Asset,
          description: b.description,
          ask: BigInt(b.ask),
          negotiable: b.negotiable,
          category: b.category,
          chain: b.chain,
          featured: b.featured,
          proven: b.proven,
          listedAt: new Date(b.listedAt),
        }),
        live: true,
      };
    case 'order-book': {
      const row = { lot: b.lot, category: b.category, chain: b.chain, updatedAt: new Date(b.updatedAt) };
      if (!open) return { ...row, updatedAt: row.updatedAt.toISOString(), open: false };
      return { ...bookRow({ ...row, priceToBeat: BigInt(price) }), open: true };
    }
    case 'activity':
      return {
        handle: b.handle,
        ...activityRow(
          {
            recordId: b.recordId,
            kind: b.kind,
            state: b.state,
            at: new Date(b.at),
            subject: b.subject,
            hash: b.hash,
            summary: b.summary,
            batch: b.batchId === null ? null : { batchId: BigInt(b.batchId), tx: b.tx },
          },
          place,
        ),
      };
  }
}
