import type { CodeFacts } from '../wallet/code/account-code.ts';

/** A transaction that somebody is asked to send, as it is simulated. Addresses in lower case. */
export interface AskedTransaction {
  /** CAIP-2. */
  readonly chain: string;
  readonly from: string;
  /**
   * Nobody said who would send it: it is simulated for an address that holds nothing but the value. 2: what it would do for
   * whoever sends it is not known; true in evidence of earlier releases, which took the one for the other.
   */
  readonly assumedSender?: true | 2;
  readonly to: string;
  /** Hex. */
  readonly data: string;
  /** In wei, decimal. */
  readonly value: string;
}

export interface Asset {
  readonly kind: 'native' | 'erc20' | 'erc721' | 'erc1155';
  /** Null for the native currency. */
  readonly token: string | null;
  /** Decimal; null for what is not told apart. */
  readonly tokenId: string | null;
  /** As the token itself calls it: anybody may call a token anything. */
  readonly symbol: string | null;
  readonly decimals: number | null;
}

/** What a party gained or lost, over the whole transaction. */
export interface AssetChange {
  readonly party: string;
  readonly asset: Asset;
  /** Decimal, with its sign; in the asset's smallest unit. */
  readonly delta: string;
  /** What it held before, as the token tells it; null where that was not read. */
  readonly before: string | null;
}

/** Somebody was given power over tokens. */
export interface Approval {
  readonly owner: string;
  readonly spender: string;
  /** `token`: one token of a collection; `operator`: all tokens of one. */
  readonly via: 'allowance' | 'permit2' | 'token' | 'operator';
  readonly token: string;
  readonly tokenId: string | null;
  /** Decimal; of an allowance as it stands afterwards. */
  readonly amount: string;
  /** What the owner held of the token before, as it tells it. Absent where it was not asked. */
  readonly held?: string;
}

/** Somebody else decides over a contract or an account than before. */
export interface OwnerChange {
  readonly contract: string;
  /** The event that told it. */
  readonly event: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** What a transaction does. */
export interface Effects {
  readonly changes: readonly AssetChange[];
  readonly approvals: readonly Approval[];
  readonly owners: readonly OwnerChange[];
}

/**
 * What a changed condition stands for: `execution`, a block with fees, an author and randomness, as when it is mined;
 * `later`, an hour and many blocks on; `much-later`, a month; `richer`, a sender with much of the native currency;
 * `other-origin`, the sender as a contract wallet that somebody else's transaction calls.
 */
export const CONDITIONS = ['execution', 'later', 'much-later', 'richer', 'other-origin'] as const;
export type ConditionName = (typeof CONDITIONS)[number];

export interface Condition {
  readonly condition: ConditionName;
  readonly outcome: 'same' | 'differs' | 'reverted' | 'not-simulated';
  /** What would happen there that the preview does not show, against the sender. In words. */
  readonly worse: readonly string[];
}

/** A transaction as one seat simulated it at the pinned block. */
export interface Simulation extends Effects {
  readonly outcome: 'success' | 'reverted' | 'not-simulated';
  /** Why it failed, or was not simulated. */
  readonly reason: string | null;
  /** A fork of the seat's node simulated it, because the node does not. Absent otherwise. */
  readonly fork?: true;
  readonly conditions: readonly Condition[];
  /**
   * Who decides over what the transaction calls, by `getOwners()` and `owner()` before it. Absent where nobody does, and in
   * evidence of earlier releases.
   */
  readonly accounts?: readonly { readonly address: string; readonly owners: readonly string[] }[];
  /** The code of whoever it calls, pays or gives power to, besides the sender. */
  readonly parties: readonly { readonly address: string; readonly code: CodeFacts }[];
}
