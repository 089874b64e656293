import type { BidHistory } from './bid-history.ts';

/** One agent of a deal. Addresses in lower case. */
export interface DealParty {
  readonly role: 'buyer' | 'seller';
  readonly handle: string;
  readonly account: string;
  readonly sessionKey: string;
}

/** A deal that settled here. Parties are the agents' owners at the time, lower case. */
export interface Trade {
  readonly dealId: string;
  readonly lot: string;
  readonly seller: string;
  readonly buyer: string;
}

/** What settled here between the owners of a deal, and with its lot. */
export interface DealHistory {
  readonly days: number;
  readonly lot: string;
  /** The owners of this deal's agents, as of their orders. */
  readonly seller: string;
  readonly buyer: string;
  /**
   * Settled deals of this lot, and of any lot between the two, or among the owners that this lot goes round among; this
   * deal is not among them.
   */
  readonly trades: readonly Trade[];
  /** How many deals each owner settled with anybody. */
  readonly deals: { readonly seller: number; readonly buyer: number };
  /** Bids on this listing from whoever stands behind the seller. */
  readonly sellerSideBids: number;
  /** False where there is more than was read. */
  readonly complete: boolean;
}

/** A lot as its platform's book tells of it. */
export interface LotBook {
  readonly listingRef: string;
  /** Whether the seller named is who listed it. */
  readonly sellerListed: boolean;
  /** Bids on the seller's lots from whoever stands behind the seller. */
  readonly sellerSide: readonly {
    readonly bidder: string;
    readonly by: 'owner' | 'account' | 'session key';
  }[];
  /** The lot asked about comes first. */
  readonly history: BidHistory;
}

/** A deal between two agents has identities and a history to compare; a lot has a bidding history. */
export type ShillCommon =
  | {
      readonly scope: 'deal';
      readonly dealId: string;
      readonly chain: string;
      readonly parties: readonly [DealParty, DealParty];
      /** Left out of evidence that was kept before histories were gathered. */
      readonly history?: DealHistory;
    }
  | {
      readonly scope: 'lot';
      readonly lotRef: string;
      readonly seller: string;
      /** Null: no such lot here. Left out of evidence that was kept before books were read. */
      readonly book?: LotBook | null;
    };

/** Money that moved between the sides, or into both, outside of settlements. */
export interface Funding {
  /** How many blocks back transfers were read. */
  readonly blocks: number;
  /** Transfers from the seller's side to the buyer's. */
  readonly returned: readonly { readonly tx: string; readonly amount: string }[];
  /** Who first put money into both sides, and how many others it put money into. */
  readonly sharedFunders: readonly { readonly funder: string; readonly others: number }[];
}

export interface ShillFacts {
  /** Each party's owners, from the NFT's holder up through accounts of other tokens; null when unread. */
  readonly owners: readonly {
    readonly handle: string;
    readonly owners: readonly string[] | null;
    readonly fault: string | null;
  }[];
  /** Whether the policy on chain takes one party's session key for the other's agent; null when unread. */
  readonly sharedKey: boolean | null;
  /** Null when unread; left out of evidence that was kept before transfers were read. */
  readonly funding?: Funding | null;
  readonly fault: string | null;
}
