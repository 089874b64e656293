import { type BidHistory, type BidLot, lotsByBidder } from './bid-history.ts';
import type { BidRow } from './shill-bids.ts';
import { scoreBid } from './shill-model.ts';

/** On how many lots a bidder bid in a way that labelled shills do, of how many that it bid on. */
interface Pattern {
  readonly met: number;
  readonly of: number;
}

/** Of labelled shills nearly all bid so; of those who shill elsewhere nobody knows, and half is taken. */
const SHILLS = 0.5;
/** The labels of the data come from a clustering of these very features: they can support a finding and make none. */
const MOST = 1.5;
const MINUTES_A_DAY = 1_440;

/**
 * How much likelier the way in which a bidder bids is a shill's, as a logarithm: when it bids, how much of the bids of a
 * lot are its own, and whether it outbids itself, by the model that `evaluate shill` measures; against everybody else on
 * the same seller's lots, because where all re-price their orders nobody stands out by it. Nothing speaks for a bidder.
 */
export function patternWeights(history: Pick<BidHistory, 'lots' | 'lotsOf'>): (bidder: string) => number {
  const patterns = patternsOf(history);
  const all = [...patterns.values()];
  const sum = (of: (pattern: Pattern) => number): number => all.reduce((total, p) => total + of(p), 0);
  const [met, of] = [sum((p) => p.met), sum((p) => p.of)];
  return (bidder) => {
    const own = patterns.get(bidder);
    if (own === undefined || own.met === 0) return 0;
    const others = (1 + met - own.met) / (2 + of - own.of);
    const hit = own.met * Math.log(SHILLS / others);
    const missed = (own.of - own.met) * Math.log((1 - SHILLS) / (1 - others));
    // The likelier of two explanations was chosen after looking.
    return Math.min(MOST, Math.max(0, hit + missed - Math.LN2));
  };
}

function patternsOf({ lots, lotsOf }: Pick<BidHistory, 'lots' | 'lotsOf'>): ReadonlyMap<string, Pattern> {
  const found = new Map<string, Pattern>();
  for (const [bidder, at] of lotsByBidder(lots)) {
    const on = [...at].map((i) => lots[i]!);
    const shill = on.filter((lot) => scoreBid(featuresOf(bidder, lot, { on, lotsOf })).shill);
    found.set(bidder, { met: shill.length, of: on.length });
  }
  return found;
}

/** What the model looks at, as the labelled data has it; what none of its rules asks is nought. */
export function featuresOf(
  bidder: string,
  lot: BidLot,
  { on, lotsOf }: { readonly on: readonly BidLot[]; readonly lotsOf: BidHistory['lotsOf'] },
): BidRow['features'] {
  const bids = [...lot.bids].sort((a, b) => a.minute - b.minute);
  const own = bids.filter((bid) => bid.bidder === bidder);
  const elapsed = (minute: number): number => Math.min(1, minute / Math.max(1, lot.minutes));
  const decided = on.filter(({ winner }) => winner !== null);
  const lost = decided.filter(({ winner }) => winner !== bidder).length;
  const run = longestRun(bidder, bids);
  return {
    Bidder_Tendency: on.length / Math.max(on.length, lotsOf[bidder] ?? 0),
    Bidding_Ratio: own.length / bids.length,
    Successive_Outbidding: run >= 3 ? 1 : run === 2 ? 0.5 : 0,
    Last_Bidding: elapsed(own.at(-1)!.minute),
    Early_Bidding: elapsed(own[0]!.minute),
    // It is high in that data for those who hardly win.
    Winning_Ratio: decided.length === 0 ? 0 : lost / decided.length,
    Auction_Duration: lot.minutes / MINUTES_A_DAY,
    ...{ Auction_Bids: 0, Starting_Price_Average: 0 },
  };
}

/** How often in a row it bid with nobody between. */
function longestRun(bidder: string, bids: BidLot['bids']): number {
  let [run, longest] = [0, 0];
  for (const bid of bids) {
    run = bid.bidder === bidder ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
