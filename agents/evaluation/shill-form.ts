import { type Static, Type } from 'typebox';
import { type BidHistory, type BidLot, lotsByBidder } from '../determinations/shill/bid-history.ts';
import { joinedSellers } from '../determinations/shill/joined-sellers.ts';
import { attachedBidders } from '../determinations/shill/loyalty.ts';
import { populationOf } from '../determinations/shill/market-habits.ts';
import { type MoneyTrails, moneyTrails, openMoney } from '../determinations/shill/money-trails.ts';
import { TRAIL_HOPS, walksOf } from '../determinations/shill/payers.ts';
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
type PlainTransfer = NonNullable<Static<typeof PlainShill>['transfers']>[number];

/**
 * Bids on a seller's lots, and on those of others, as evidence of a lot: the first lot is the one in question.
 * @throws FormError
 */
export function shillOfFile(value: unknown): { readonly common: ShillCommon; readonly at: string } {
  requireForm(PlainShill, value);
  const { seller, lots, market = [], transfers } = value as Static<typeof PlainShill>;
  const others = market.filter((m) => m.seller !== seller);
  const ends = [...lots, ...others].map((l, i) => requireTime(l.endedAt, `lots.${i}.endedAt`));
  for (const [i, l] of others.entries()) bidLot(l, `market.${i}`);
  const { category } = lots[0]!;
  const own = lots.some((l) => l.bids.some((b) => b.bidder === seller));
  const all = lots.map((l, i) => ({ category: l.category, read: bidLot(l, `lots.${i}`) }));
  const alike = [...lots.map((l) => ({ ...l, seller })), ...others].filter((l) => l.category === category);
  const bidOn = alike.map(({ bids, ...l }) => ({ ...l, bidders: bids.map((b) => b.bidder) }));
  const population = populationOf(bidOn, seller);
  const history: BidHistory = {
    bidding: 5,
    days: Math.max(1, Math.ceil((Math.max(...ends) - Math.min(...ends)) / 86_400_000)),
    lots: all.filter((l) => l.category === category).map((l) => l.read),
    ...{ lotsOf: population.lotsOf, market: population.market, complete: true },
    ...(others.length === 0 ? {} : { habits: population.habits, joined: joinedSellers(bidOn, seller) }),
  };
  const book: LotBook = {
    listingRef: lots[0]!.lot,
    sellerListed: true,
    sellerSide: own ? [{ bidder: seller, by: 'owner' }] : [],
    history,
    ...(transfers === undefined
      ? {}
      : { money: moneyOf(seller, { history, lots: all.map((l) => l.read) }, transfers) }),
  };
  return {
    common: { scope: 'lot', lotRef: book.listingRef, seller, book },
    at: new Date(Math.max(...ends)).toISOString(),
  };
}

/** Every name is an address of its own. */
function moneyOf(
  seller: string,
  { history, lots }: { readonly history: BidHistory; readonly lots: readonly BidLot[] },
  transfers: readonly PlainTransfer[],
): MoneyTrails {
  const bidOn = lotsByBidder(lots);
  const names = [...bidOn.keys()].filter((bidder) => bidder !== seller);
  const side = (name: string) => ({ name, addresses: [name] });
  // What a winner pays the seller may be a price.
  const winners = new Set(lots.flatMap(({ winner }) => winner ?? []));
  const question = {
    seller: side(seller),
    bidders: names.map(side),
    payments: transfers
      .filter(({ from, to }) => to !== seller || !winners.has(from))
      .map(({ from, to, usd }) => ({ from, to, usd: microOf(usd) })),
    known: new Set<string>(),
    attached: attachedBidders(history),
  };
  const walkOf = walksOf(question);
  const bidders = moneyTrails(question, walkOf).map((b) => ({ ...b, lots: bidOn.get(b.bidder)?.size ?? 0 }));
  return { hops: TRAIL_HOPS, bidders, fault: openMoney(question, walkOf) };
}

function microOf(usd: number | string): bigint {
  return BigInt(Math.round(Number(usd) * 1e6));
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
        amount: amountUsd === undefined ? null : microOf(amountUsd).toString(),
      }))
      .sort((a, b) => a.minute - b.minute),
    winner,
    priceToAsk: null,
  };
}
