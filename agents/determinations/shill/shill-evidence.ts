import type { BidHistory } from './bid-history.ts';
import type { MoneyTrails } from './money-trails.ts';
import type { Customers } from './payees.ts';

/** One agent of a deal. Addresses in lower case. */
export interface DealParty {
  readonly role: 'buyer' | 'seller';
  readonly handle: string;
  readonly account: string;
  readonly sessionKey: string;
}

/** A deal that settled here. The parties are the agents' owners at the time, lower case. */
export interface Trade {
  readonly dealId: string;
  readonly lot: string;
  readonly seller: string;
  readonly buyer: string;
  /** Its place among all deals here, an earlier one's being lower; absent in evidence of before. */
  readonly place?: number;
}

/** The deals that settled here between the owners of a deal, and over its lot. */
export interface DealHistory {
  readonly days: number;
  readonly lot: string;
  /** The owners of this deal's agents when they ordered. */
  readonly seller: string;
  readonly buyer: string;
  /**
   * Settled deals over this lot, and over any lot between the two owners or among the owners round whom this lot
   * circulates; without this deal.
   */
  readonly trades: readonly Trade[];
  /** How many deals each owner settled with anybody. */
  readonly deals: { readonly seller: number; readonly buyer: number };
  /** How many bids on this listing came from the seller's own side. */
  readonly sellerSideBids: number;
  /** False when more exists than was read. */
  readonly complete: boolean;
}

/** A lot in this platform's book. */
export interface LotBook {
  readonly listingRef: string;
  /** Whether the seller named is the one who listed it. */
  readonly sellerListed: boolean;
  /** Bids on the seller's lots that came from the seller's own side. */
  readonly sellerSide: readonly {
    readonly bidder: string;
    readonly by: 'owner' | 'account' | 'session key';
  }[];
  /** The lot asked about comes first. */
  readonly history: BidHistory;
  /** Null when transfers are read nowhere; absent in evidence from before they were. */
  readonly money?: MoneyTrails | null;
}

/** A deal between two agents has identities and a history to compare; a lot has a bidding history. */
export type ShillCommon =
  | {
      readonly scope: 'deal';
      readonly dealId: string;
      readonly chain: string;
      readonly parties: readonly [DealParty, DealParty];
      /** Micro-dollars; absent in evidence from when the money between the sides was not held against it. */
      readonly price?: string;
      /** Absent in evidence from before histories were gathered. */
      readonly history?: DealHistory;
      /** The money of the buyer and of the other bidders; absent where no transfers are kept, and in evidence of before. */
      readonly money?: MoneyTrails;
      /** The bids on the seller's lots; null where the deal is unknown, absent in evidence from before deals read them. */
      readonly bids?: BidHistory | null;
    }
  | {
      readonly scope: 'lot';
      readonly lotRef: string;
      readonly seller: string;
      /** Null when there is no such lot here; absent in evidence from before books were read. */
      readonly book?: LotBook | null;
    };

/** Money that moved between the sides, or into both, outside of settlements. */
export interface Funding {
  /** How many blocks back transfers were read. */
  readonly blocks: number;
  /** Transfers of a dollar or more from the seller's side to the buyer's. */
  readonly returned: readonly { readonly tx: string; readonly amount: string }[];
  /** All that went from the one side to the other, in micro-dollars; absent in evidence from when any transfer counted. */
  readonly sent?: string;
  /**
   * What of that only gave back what had gone the other way before, in micro-dollars: outside of deals, and for one deal that
   * had settled, the largest. Absent where nothing had, and in evidence from when nothing was set off.
   */
  readonly setOff?: string;
  /**
   * From which share of all that came to each side, in percent, whoever paid it is a funder of it. Absent in evidence
   * from when whoever had paid first into both was.
   */
  readonly least?: number;
  /** The funders of both sides. */
  readonly sharedFunders: readonly SharedFunder[];
}

export interface SharedFunder {
  readonly funder: string;
  /** How many other addresses it paid a dollar or more. */
  readonly others: number;
  /**
   * Whether those others are customers, held against the smaller of what it paid to both sides. Absent in evidence from
   * when their number alone told.
   */
  readonly customers?: Customers;
  /**
   * Which percent of a side's money it paid, of that side of which it paid less. Absent in evidence from when it did not
   * matter, and of whom a list knows.
   */
  readonly share?: number;
  /** The list that knows it as an exchange or a bridge: whoever it pays is a customer. Absent of others. */
  readonly label?: { readonly label: 'exchange' | 'bridge'; readonly list: string };
}

export interface ShillFacts {
  /** Each party's owners, from the NFT's holder up through the accounts of other tokens; null when unread. */
  readonly owners: readonly {
    readonly handle: string;
    readonly owners: readonly string[] | null;
    readonly fault: string | null;
  }[];
  /** Whether the policy on chain accepts one party's session key for the other's agent; null when unread. */
  readonly sharedKey: boolean | null;
  /** Null when unread; absent in evidence from before transfers were read. */
  readonly funding?: Funding | null;
  readonly fault: string | null;
}
