import type { ContractList, LineageToken } from '../lineage/lineage.ts';

/** An active claim on an asset: a listing, or a pledge that does not belong to a listing. */
export interface Claim {
  readonly id: string;
  readonly kind: 'listing' | 'pledge';
  readonly listingRef: string;
  /** The listing agent's handle, or the pledging wallet. */
  readonly holder: string;
  readonly lender: string | null;
  readonly since: string;
  /** False when the same number is claimed under another key: of another kind, or with another maker or none. */
  readonly sameKey: boolean;
  /** Both name a maker, not the same one, and the number is of no standard: it may well be another thing. */
  readonly otherMaker?: boolean;
  /** ISO 8601: when a pledge was to end; absent in evidence of earlier releases. It ends by its release alone. */
  readonly until?: string | null;
  /** The key under which it stands, where that is another token of the thing's lineage, or its number with less said. */
  readonly on?: string;
}

/** The tokens in the account of an agent that is asked about, which go with it. */
export interface AgentContents {
  /** Their keys. */
  readonly held: readonly string[];
  /** Why there may be more in it; null where there is not. */
  readonly fault: string | null;
  /**
   * What else came to it, of contracts that nobody here vouched for or as shares (ERC-1155), and is on no list of goods and
   * in no claim of its owner's: anybody can send such a thing to any agent, so it is named, and decides nothing. Absent where
   * there is none, and in evidence of before.
   */
  readonly notLookedAt?: { readonly count: number; readonly some: readonly string[] };
  /**
   * What came to it since it was listed, and not from its owner, his agents or itself: whoever wants to spoil a sale sends
   * what is stolen or pledged. It is named, and was not looked at. Absent where there is none, and in evidence of before.
   */
  readonly cameSince?: { readonly count: number; readonly some: readonly string[] };
  /** Whether each of them is judged beside it, in the same record; absent: it is not. */
  readonly judged?: boolean;
}

export interface PledgeCommon {
  readonly assetKey: string;
  /** The listing in question; its own claim is no collision. */
  readonly listingRef: string | null;
  /** The agent whose listing it is, when `listingRef` does not tell. */
  readonly handle: string | null;
  readonly claims: readonly Claim[];
  /** Of an agent; absent for anything else, and in evidence from before they were read. */
  readonly contents?: AgentContents;
  /** CAIP-2: the chain that was asked what a certificate stands for. Absent when that is known here. */
  readonly chain?: string;
  /**
   * The version of the rules; absent is 1, by which the asker's own reference hid a lender's lien, and no token was read.
   * 2 knew no table of contracts.
   */
  readonly liens?: 2 | 3;
  /** The lists of contracts that hold, or stand for, tokens of others; of a token, from version 3 on. */
  readonly contracts?: readonly ContractList[];
  /** Holders of the token, in any reading, that are known as lending contracts; absent in evidence of before. */
  readonly lenders?: readonly { readonly address: string; readonly source: string }[];
}

/** What one seat's reader says a certificate stands for; empty when no chain was asked. */
export interface PledgeFacts {
  /** An asset key; the certificate's own when it stands for nothing. Null when it could not be read. */
  readonly lot?: string | null;
  /** The token on chain: whether its contract has code, and who holds it. Null where it could not be read. */
  readonly token?: { readonly contract: boolean; readonly holder: string | null } | null;
  /** The token, what it stands for and what stands for it; absent where no list of contracts concerns its chain. */
  readonly lineage?: readonly LineageToken[];
  readonly fault?: string | null;
}
