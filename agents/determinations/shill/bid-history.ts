/** One bid on a lot. Bidders have labels that mean nothing outside their evidence. */
export interface Bid {
  readonly bidder: string;
  /** Minutes after the lot opened. */
  readonly minute: number;
  /** Micro-dollars; null where bids are private. */
  readonly amount: string | null;
}

/** A lot of one seller with all bids on it. */
export interface BidLot {
  readonly lot: string;
  /** How long it was, or has been, open. */
  readonly minutes: number;
  readonly bids: readonly Bid[];
  /** The bidder who won it; null while nobody has. */
  readonly winner: string | null;
  /** Its clearing price divided by its ask, if it was negotiable and is settled. */
  readonly priceToAsk: number | null;
}

/** How those bid who bid at other sellers. */
export interface MarketHabits {
  readonly bidders: number;
  /** Bid on one lot, and never again. */
  readonly once: number;
  /** Came back to one of those sellers. */
  readonly returning: number;
  /** Came back to one, and bid on little else. */
  readonly attached: number;
  /** And won next to nothing of it. */
  readonly losing: number;
  /**
   * How far those at other sellers stand out who do: see `market-habits.ts`. Absent in evidence from before it was
   * reckoned, which is judged by the rules of before.
   */
  readonly weights?: readonly number[];
  /** How many came back to one of those sellers, counted at each; absent by the first version of the rules. */
  readonly pairs?: number;
  /** What share of those pairs keep to each other, whether the bidder wins or not; absent before version 3 of the rules. */
  readonly loyal?: number;
  /** What share of them come now and then, and hardly to anybody else; these three are absent before version 4. */
  readonly occasional?: number;
  /** What share of those who keep to each other win nothing there. */
  readonly vain?: number;
  /** How often the bidders of the market bid: the beta distribution of shares of its lots. */
  readonly rates?: readonly [a: number, b: number];
}

/**
 * Other sellers at whom the same bidders bid as if one stood behind all of them: see `joined-sellers.ts`. Nobody's name is
 * kept but the labels of those who bid at the seller in question.
 */
export interface JoinedSellers {
  /** How many sellers, the one in question among them, and out of how many others they were chosen. */
  readonly sellers: number;
  readonly among: number;
  /** The lots of the others that were bid on. */
  readonly lots: readonly {
    /** Those of its bidders who bid at the seller in question, too, and that seller itself. */
    readonly bidders: readonly string[];
    /** How many bid on it in all. */
    readonly crowd: number;
    /** Null while nobody won it; empty where somebody else did. */
    readonly winner: string | null;
  }[];
  /** The habits at all other sellers. */
  readonly habits: MarketHabits;
}

/** The bidding history of one seller, and how much its bidders bid elsewhere. */
export interface BidHistory {
  /**
   * The version of the rules about bids; absent is 1, which looked at nobody's times. 2 did not ask how many customers
   * keep to other houses, and knew few others of sellers that are joined. 3 took each who came back to a seller for somebody who
   * stands out, and whoever else keeps to a seller for its customer, though none of them ever wins there. 4 accused a seller for strangers who
   * come once.
   */
  readonly bidding?: 2 | 3 | 4 | 5;
  readonly days: number;
  readonly lots: readonly BidLot[];
  /** How many lots, of any seller, each bidder bid on in those days. */
  readonly lotsOf: Readonly<Record<string, number>>;
  /** How many lots of the market were bid on in those days. */
  readonly market: number;
  /** The habits at other sellers; absent in evidence from before they were counted. */
  readonly habits?: MarketHabits;
  /** Null where there are none; absent in evidence from before they were looked for. */
  readonly joined?: JoinedSellers | null;
  /** False when more exists than was read. */
  readonly complete: boolean;
}

/** The positions of the lots on which each bidder bid. */
export function lotsByBidder(lots: readonly BidLot[]): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  lots.forEach((lot, i) => {
    for (const { bidder } of lot.bids) found.set(bidder, (found.get(bidder) ?? new Set()).add(i));
  });
  return found;
}

export function shared(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  const [fewer, more] = one.size <= other.size ? [one, other] : [other, one];
  let common = 0;
  for (const lot of fewer) if (more.has(lot)) common++;
  return common;
}
