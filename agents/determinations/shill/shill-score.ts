import type { BidHistory, BidLot } from './bid-history.ts';

/** The six ratings of Trevathan and Read, each from 0 (like an ordinary bidder) to 1 (like a shill). */
export interface ShillScore {
  readonly bidder: string;
  /** The number of this seller's lots on which it bid and that it won, and of everybody's lots on which it bid. */
  readonly lots: number;
  readonly won: number;
  readonly everywhere: number;
  /** Alpha: the share of the seller's lots on which it bids. */
  readonly participation: number;
  /** Beta: how many of the bids on those lots are its own, as a share of every other bid. */
  readonly frequency: number;
  /** Gamma: the share of those lots that it does not win. */
  readonly losses: number;
  /** Delta: how quickly it answers another bid. */
  readonly haste: number;
  /** Epsilon: how small its raises are; null where amounts are private. */
  readonly smallness: number | null;
  /** Zeta: how early its first bid is. */
  readonly earliness: number;
  /** 0 to 10: the weighted ratings (9, 2, 5, 2, 2, 2); an unknown rating is left out together with its weight. */
  readonly score: number;
}

/** The weights of alpha to zeta. */
const WEIGHTS = [9, 2, 5, 2, 2, 2] as const;

/**
 * The shill score of each bidder on one seller's lots, highest first, after Trevathan and Read, "Detecting Shill
 * Bidding in Online English Auctions" (2005). It ranks bidders and is no proof against any of them.
 */
export function shillScores({ lots, lotsOf }: BidHistory): ShillScore[] {
  const live = lots.filter((lot) => lot.bids.length > 0).map(inOrder);
  const bidders = [...new Set(live.flatMap((lot) => lot.bids.map((b) => b.bidder)))].sort();
  return bidders
    .map((bidder) => scoreOf(bidder, live, lotsOf[bidder] ?? 0))
    .sort((a, b) => b.score - a.score || (a.bidder < b.bidder ? -1 : 1));
}

function scoreOf(bidder: string, lots: readonly BidLot[], everywhere: number): ShillScore {
  const own = lots.filter((lot) => lot.bids.some((b) => b.bidder === bidder));
  const won = own.filter((lot) => lot.winner === bidder).length;
  const placed = own.reduce((n, lot) => n + lot.bids.filter((b) => b.bidder === bidder).length, 0);
  const most = own.reduce((n, lot) => n + Math.ceil(lot.bids.length / 2), 0);
  const answers = own.flatMap((lot) => answersOf(bidder, lot));
  const ratings = {
    participation: own.length / lots.length,
    frequency: Math.min(1, placed / most),
    losses: (own.length - won) / own.length,
    haste: 1 - mean(answers.map((a) => a.wait)),
    smallness: answers.some((a) => a.rise === null) ? null : 1 - mean(answers.map((a) => a.rise ?? 0)),
    earliness: 1 - mean(own.map((lot) => share(firstOf(bidder, lot), lot.minutes))),
  };
  const weighed = Object.values(ratings).map((rating, i) => ({ rating, weight: WEIGHTS[i] ?? 0 }));
  const known = weighed.filter((w) => w.rating !== null);
  const weight = known.reduce((sum, w) => sum + w.weight, 0);
  const score = (10 * known.reduce((sum, w) => sum + (w.rating ?? 0) * w.weight, 0)) / weight;
  return { bidder, lots: own.length, won, everywhere: Math.max(everywhere, own.length), ...ratings, score };
}

/**
 * For each of its bids that follows another's: how long it took and how much it rose, as shares of the lot's maximum.
 */
function answersOf(bidder: string, lot: BidLot): { wait: number; rise: number | null }[] {
  const steps = lot.bids.slice(1).map((bid, i) => {
    const before = lot.bids[i]!;
    const rise =
      bid.amount === null || before.amount === null
        ? null
        : Number(BigInt(bid.amount) - BigInt(before.amount));
    return { bid, before, wait: bid.minute - before.minute, rise };
  });
  const longest = Math.max(0, ...steps.map((s) => s.wait));
  const highest = Math.max(0, ...steps.map((s) => s.rise ?? 0));
  return steps
    .filter((s) => s.bid.bidder === bidder && s.before.bidder !== bidder)
    .map((s) => ({
      wait: share(s.wait, longest),
      rise: s.rise === null ? null : share(Math.max(0, s.rise), highest),
    }));
}

function firstOf(bidder: string, lot: BidLot): number {
  return lot.bids.find((b) => b.bidder === bidder)?.minute ?? lot.minutes;
}

function inOrder(lot: BidLot): BidLot {
  const key = (amount: string | null): bigint => (amount === null ? 0n : BigInt(amount));
  const bids = [...lot.bids].sort(
    (a, b) =>
      a.minute - b.minute ||
      Number(key(a.amount) - key(b.amount)) ||
      (a.bidder < b.bidder ? -1 : a.bidder > b.bidder ? 1 : 0),
  );
  return { ...lot, bids };
}

function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}

/** The mean; 1 for no values, so that a bidder who never answered does not count as hasty. */
function mean(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((sum, v) => sum + v, 0) / values.length;
}
