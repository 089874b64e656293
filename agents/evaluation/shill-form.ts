import { type Static, Type } from 'typebox';
import type { BidLot } from '../determinations/shill/bid-history.ts';
import type { LotBook, ShillCommon } from '../determinations/shill/shill-evidence.ts';
import { FormError, requireForm, requireTime } from './form.ts';

const closed = { additionalProperties: false } as const;
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Usd = Type.Union([
  Type.Number({ minimum: 0 }),
  Type.String({ pattern: '^[0-9]{1,12}(?:\\.[0-9]{1,6})?$' }),
]);
const Bid = Type.Object({ bidder: Name, at: Name, amountUsd: Type.Optional(Usd) }, closed);
const lot = {
  ...{ lot: Name, category: Name, endedAt: Name, winner: Type.Union([Name, Type.Null()]) },
  bids: Type.Array(Bid),
};
const PlainShill = Type.Object(
  {
    ...{ id: Type.Union([Name, Type.Number()]), seller: Name },
    lots: Type.Array(Type.Object(lot, closed), { minItems: 1 }),
    market: Type.Optional(Type.Array(Type.Object({ ...lot, seller: Name }, closed))),
    transfers: Type.Optional(Type.Array(Type.Object({ from: Name, to: Name, usd: Usd, at: Name }, closed))),
  },
  closed,
);
type PlainLot = Static<typeof PlainShill>['lots'][number];

/**
 * Bids on a seller's lots, and on those of others, as evidence of a lot: the first lot is the one in question.
 * @throws FormError
 */
export function shillOfFile(value: unknown): { readonly common: ShillCommon; readonly at: string } {
  requireForm(PlainShill, value);
  const { seller, lots, market = [] } = value as Static<typeof PlainShill>;
  const others = market.filter((m) => m.seller !== seller);
  const ends = [...lots, ...others].map((l, i) => requireTime(l.endedAt, `lots.${i}.endedAt`));
  const all = lots.map((l, i) => bidLot(l, `lots.${i}`));
  const lotsOf: Record<string, number> = {};
  for (const { bids } of [...lots, ...others])
    for (const bidder of new Set(bids.map((b) => b.bidder))) lotsOf[bidder] = (lotsOf[bidder] ?? 0) + 1;
  const own = lots.some((l) => l.bids.some((b) => b.bidder === seller));
  const book: LotBook = {
    listingRef: lots[0]!.lot,
    sellerListed: true,
    sellerSide: own ? [{ bidder: seller, by: 'owner' }] : [],
    history: {
      days: Math.max(1, Math.ceil((Math.max(...ends) - Math.min(...ends)) / 86_400_000)),
      lots: all,
      lotsOf,
      market: [...lots, ...others].filter((l) => l.bids.length > 0).length,
      complete: true,
    },
  };
  return {
    common: { scope: 'lot', lotRef: book.listingRef, seller, book },
    at: new Date(Math.max(...ends)).toISOString(),
  };
}

function bidLot({ lot: name, endedAt, winner, bids }: PlainLot, field: string): BidLot {
  const times = bids.map((b, i) => requireTime(b.at, `${field}.bids.${i}.at`));
  const end = requireTime(endedAt, `${field}.endedAt`);
  // Nobody says when it opened: it counts from its first bid.
  const opened = Math.min(end, ...times);
  if (winner !== null && !bids.some((b) => b.bidder === winner))
    throw new FormError(`${field}.winner`, 'must be one of those who bid');
  return {
    lot: name,
    minutes: Math.round((end - opened) / 60_000),
    bids: bids
      .map(({ bidder, amountUsd }, i) => ({
        bidder,
        minute: Math.round((times[i]! - opened) / 60_000),
        amount: amountUsd === undefined ? null : BigInt(Math.round(Number(amountUsd) * 1e6)).toString(),
      }))
      .sort((a, b) => a.minute - b.minute),
    winner,
    priceToAsk: null,
  };
}
