import type { Category } from '../categories.ts';
import type { Windows } from '../mandate/compliance/proposal.ts';
import type { Counterparty } from '../mandate/grammar/pairing.ts';
import type { Mandate } from '../mandate/terms/schema.ts';
import type { Worth } from '../market/pricing/worth.ts';
import type { Micro } from '../money.ts';

/**
 * What an agent sees when it evaluates the market. Amounts in micro-dollars, times ISO 8601. It contains no
 * description, so that a seller's text cannot influence the agent.
 */
export interface Observation {
  readonly at: string;
  readonly handle: string;
  readonly tier: 'AGENT' | 'EXECUTOR';
  readonly status: string;
  readonly mandate: Mandate | null;
  /** What the chain still lets its account spend, and the account's money; null when the chain was not read. */
  readonly remaining: (Windows & { readonly perDeal: Micro; readonly spendable: Micro }) | null;
  readonly funds: Micro | null;
  /** What it is already committed to, including its own resting orders. */
  readonly held: {
    readonly amount: Micro;
    /** What of it unfunded orders hold: of the caps, and not of the money. */
    readonly unfunded: Micro;
    readonly resting: number;
    readonly deals: number;
    readonly dealsToday: number;
  };
  readonly sold: Windows;
  readonly lots: readonly LotSeen[];
  readonly buys: readonly OwnOrder[];
  readonly offers: readonly OfferSeen[];
}

/** A lot of another seller, as the catalogue shows it. */
export interface LotSeen {
  readonly listingRef: string;
  readonly lot: string;
  readonly category: Category;
  readonly chainId: number;
  readonly ask: Micro;
  readonly negotiable: boolean;
  readonly seller: Counterparty;
  /** The seller has the same beneficial owner. */
  readonly ours: boolean;
  /** Since when another agent of the same owner stands before it there ({@link siblingBefore}); null when none does. */
  readonly siblingSince: string | null;
  /** A deal of the agent's owner with this seller over the lot was stopped, and the cause has not changed. */
  readonly stopped: boolean;
  /** What the determination of its price would hold it against. */
  readonly worth: Worth;
  /** As its seller signed it; null where the listing states none. */
  readonly faceValue: Micro | null;
}

export interface OwnOrder {
  readonly orderId: string;
  readonly listingRef: string;
  readonly lot: string;
  readonly limit: Micro;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Whether the agent placed it by its own decision. Only the owner changes an order that the owner placed. */
  readonly byItself: boolean;
  /** Whether its account does not cover it. */
  readonly unfunded: boolean;
}

/** A listing of the agent itself, with its order. */
export interface OfferSeen {
  readonly listingRef: string;
  readonly lot: string;
  readonly category: Category;
  readonly chainId: number;
  readonly ask: Micro;
  readonly negotiable: boolean;
  readonly listedAt: string;
  /** The limit that its owner set last; null when it is not known. */
  readonly ownerLimit: Micro | null;
  readonly order: OwnOrder;
  readonly worth: Worth;
}
