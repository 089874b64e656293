import { type BidLot, lotsByBidder } from '../../../agents/determinations/shill/bid-history.ts';
import { logHits } from '../../../agents/determinations/shill/chances.ts';
import { type Auction, type Dealing, dice, type Market, plant, type RingPlan } from './shill-plant.ts';

export type Oracle = (market: Market, seller: number, known: Pick<RingPlan, 'size' | 'zeal'>) => number;

/** The auctions are dealt so often without a plant to learn how often an honest bidder is seen as one. */
const DEALT = 40;
const SEED = 9_000_000;
/** A planted bidder bids on none, one or two lots of others, each as likely. */
const COVERING = 1 / 3;
const IMPOSSIBLE = -50;
/** Whoever bids on more lots elsewhere is not planted, so that it need not be told how many. */
const MANY = 3;
/** What was never seen is taken to be half as common as what was seen once. */
const UNSEEN = 0.5;

/**
 * The largest likelihood ratio that so many bidders of a seller are those whom the bench plants, each against the real
 * bidders of these very auctions as they are dealt: how many of so many lots they bid on, how many elsewhere, and whether
 * they win. Who deals and plants knows both.
 */
export function realOracle(auctions: readonly Auction[], dealing: Dealing): Oracle {
  const seen = new Map<string, number>();
  const of = new Map<number, number>();
  for (let deal = 0; deal < DEALT; deal++) {
    const { sellers, lotsOf } = plant(auctions, dice(SEED + deal), { dealing, size: 0, zeal: 0, every: 1 });
    for (const { history } of sellers)
      for (const bidder of biddersOf(history.lots, lotsOf)) {
        seen.set(keyOf(bidder), (seen.get(keyOf(bidder)) ?? 0) + 1);
        of.set(bidder.n, (of.get(bidder.n) ?? 0) + 1);
      }
  }
  const honest = (bidder: Seen): number =>
    Math.log(((seen.get(keyOf(bidder)) ?? 0) + UNSEEN) / ((of.get(bidder.n) ?? 0) + 1));
  return ({ sellers, lotsOf }, seller, { size, zeal }) =>
    biddersOf(sellers[seller]!.history.lots, lotsOf)
      .map((bidder) => planted(bidder, zeal) - honest(bidder))
      .sort((a, b) => b - a)
      .slice(0, size)
      .reduce((sum, score) => sum + score, 0);
}

/** A bidder of a seller: on how many of its lots it bid, on how many elsewhere, and whether it won one here. */
interface Seen {
  readonly x: number;
  readonly n: number;
  readonly y: number;
  readonly wins: boolean;
}

function planted({ x, n, y, wins }: Seen, zeal: number): number {
  return wins || y >= MANY ? IMPOSSIBLE : logHits(x, n, zeal) + Math.log(COVERING);
}

function keyOf({ x, n, y, wins }: Seen): string {
  return `${x} of ${n}, ${Math.min(y, MANY)}, ${wins}`;
}

function biddersOf(lots: readonly BidLot[], lotsOf: Market['lotsOf']): Seen[] {
  return [...lotsByBidder(lots)].map(([bidder, at]) => ({
    ...{ x: at.size, n: lots.length, y: (lotsOf[bidder] ?? at.size) - at.size },
    wins: [...at].some((i) => lots[i]!.winner === bidder),
  }));
}
