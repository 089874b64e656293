import type { Bid, BidHistory, BidLot } from '../../../agents/determinations/shill/bid-history.ts';

/** Real auctions, each with its kind of thing. */
export interface Auction extends BidLot {
  readonly kind: string;
}

/** Sellers of a market with what was planted at them. */
export interface Market {
  readonly sellers: readonly { readonly history: BidHistory; readonly planted: readonly string[] }[];
  /** How many lots each bidder bids on. */
  readonly lotsOf: Readonly<Record<string, number>>;
}

/** How groups are planted among the sellers of the auctions, when they are dealt. */
export interface RingPlan {
  readonly dealing: Dealing;
  readonly size: number;
  readonly zeal: number;
  /** At one seller in so many, the first of whom has this position. */
  readonly every: number;
  readonly first?: number;
}

/** How the real auctions, whose sellers are not known, are dealt to sellers: at random, or all of one kind in a row. */
export type Dealing = 'scattered' | 'in a row';

/**
 * Reads auctions from a csv with auctionid, bid, bidtime (days), bidder, item and auction_type ("7 day auction").
 * @throws Error naming the column that is missing
 */
export function readAuctions(text: string): Auction[] {
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const header = head.split(',');
  const column = (name: string): number => {
    if (!header.includes(name))
      throw new Error(`line 1: column ${name} is missing: give the file of auctions`);
    return header.indexOf(name);
  };
  const [id, bid, time, bidder, item, type] = [
    'auctionid',
    'bid',
    'bidtime',
    'bidder',
    'item',
    'auction_type',
  ].map(column);
  const found = new Map<string, { kind: string; minutes: number; bids: Bid[] }>();
  for (const cells of lines.map((line) => line.split(','))) {
    const at = (index: number | undefined): string => cells[index ?? -1] ?? '';
    const auction = found.get(at(id)) ?? {
      kind: at(item),
      minutes: Number.parseInt(at(type), 10) * 1_440,
      bids: [],
    };
    auction.bids.push({
      bidder: at(bidder),
      minute: Number(at(time)) * 1_440,
      amount: String(Math.round(Number(at(bid)) * 1e6)),
    });
    found.set(at(id), auction);
  }
  return [...found].map(([lot, { kind, minutes, bids }]) => ({
    lot,
    kind,
    minutes,
    bids,
    winner: highest(bids)?.bidder ?? null,
    priceToAsk: null,
  }));
}

/** A generator of numbers from 0 to 1 that gives the same ones for the same seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Deals the auctions to sellers of 4 to 12 lots and plants a group of `size` at one seller in `every`. A planted bidder
 * bids on each lot of the seller with a chance of `zeal`, twice or three times, at times and raises taken from real
 * bids, never the highest; and on up to two lots of others, so as not to stand out.
 */
export function plant(
  auctions: readonly Auction[],
  roll: () => number,
  { dealing, size, zeal, every, first = 0 }: RingPlan,
): Market {
  const order = shuffled(auctions, roll);
  if (dealing === 'in a row') order.sort((a, b) => (a.kind + a.lot < b.kind + b.lot ? -1 : 1));
  const groups: BidLot[][] = [];
  for (let i = 0; i < order.length; ) {
    const n = 4 + Math.floor(roll() * 9);
    groups.push(order.slice(i, i + n).map((lot) => ({ ...lot })));
    i += n;
  }
  const planted = groups.map((lots, g) =>
    g % every === first % every && lots.length >= 4
      ? Array.from({ length: size }, (_, i) => `planted-${g}-${i}`)
      : [],
  );
  groups.forEach((lots, g) => {
    for (const bidder of planted[g] ?? []) {
      lots.forEach((lot, i) => {
        if (roll() < zeal) lots[i] = withBids(lot, bidder, roll);
      });
      for (let n = Math.floor(roll() * 3); n > 0; n--) {
        const other = groups[Math.floor(roll() * groups.length)]!;
        const i = Math.floor(roll() * other.length);
        other[i] = withBids(other[i]!, bidder, roll);
      }
    }
  });
  const lotsOf: Record<string, number> = {};
  for (const lot of groups.flat()) {
    for (const bidder of new Set(lot.bids.map((b) => b.bidder))) lotsOf[bidder] = (lotsOf[bidder] ?? 0) + 1;
  }
  const sellers = groups.map((lots, g) => ({
    history: { days: 90, lots, lotsOf, market: auctions.length, complete: true },
    planted: planted[g] ?? [],
  }));
  return { sellers, lotsOf };
}

/** The lot with two or three bids more, each a little above one that was made and below the highest. */
function withBids(lot: BidLot, bidder: string, roll: () => number): BidLot {
  const top = BigInt(highest(lot.bids)?.amount ?? '0');
  const more = Array.from({ length: 2 + Math.floor(roll() * 2) }, (): Bid => {
    const after = lot.bids[Math.floor(roll() * lot.bids.length)]!;
    const raised = BigInt(after.amount ?? '0') + 1_000_000n;
    return { bidder, minute: after.minute + roll() * 30, amount: String(raised < top ? raised : top - 1n) };
  });
  return { ...lot, bids: [...lot.bids, ...more] };
}

function highest(bids: readonly Bid[]): Bid | undefined {
  return [...bids].sort((a, b) => Number(b.amount) - Number(a.amount) || a.minute - b.minute)[0];
}

function shuffled<T>(items: readonly T[], roll: () => number): T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(roll() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return mixed;
}
