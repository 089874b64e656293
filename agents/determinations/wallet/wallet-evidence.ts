import type { OriginEvidence } from '../origin/origin.ts';
import type { RegisterState } from '../panel/lists.ts';
import type { AskedTransaction, Simulation } from '../transaction/transaction-evidence.ts';
import type { CodeFacts } from './code/account-code.ts';
import type { CodeLookUp } from './code/code-lookup.ts';
import type { Contacts } from './look-alike/look-alike.ts';
import type { Exposure } from './money/exposure.ts';
import type { Tail, Transfers } from './money/flows.ts';
import type { SolanaReading } from './solana/wallet-solana-facts.ts';

export const REQUIRED_CHECKS = ['principals', 'lists', 'code', 'direct-transfers'] as const;
export type RequiredCheck = (typeof REQUIRED_CHECKS)[number];

/** What must have been looked at on a chain before an address may be CLEAN there. */
export interface ChainPolicy {
  /** CAIP-2. */
  readonly chain: string;
  readonly required: readonly RequiredCheck[];
  /** Optional sources that nobody configured for this chain, in words. */
  readonly notConfigured: readonly string[];
}

/** A wallet determination's shared facts. */
export interface WalletCommon {
  readonly address: string;
  readonly addressType: 'evm' | 'solana';
  readonly chainId: number | null;
  /** Every chain whose activity is asked about, CAIP-2 (`solana` for Solana). */
  readonly chains: readonly string[];
  readonly sanctions: RegisterState;
  readonly knownScam: RegisterState;
  readonly history: PlatformHistory;
  /** Absent when nobody is named as asking, and in evidence of earlier releases. */
  readonly contacts?: Contacts;
  /** The counterparties of its deals here. Absent in evidence of earlier releases. */
  readonly exposure?: Exposure;
  /** Where its money came from and went. Absent when it was not read, and in evidence of earlier releases. */
  readonly transfers?: Transfers;
  /**
   * Contracts with the same code as the address, byte by byte, by chain: how many others, and which of them a list names.
   * Absent where nobody looked, and in evidence of earlier releases.
   */
  readonly twins?: readonly {
    readonly chain: string;
    /** Of the code. */
    readonly hash: string;
    readonly others: number;
    readonly listed: readonly { readonly key: string; readonly list: string }[];
  }[];
  /** What is known of the codes that were read. Absent where none were, and in evidence of earlier releases. */
  readonly codes?: CodeLookUp;
  /** The contracts of this service through which its users' money passes, lower case. */
  readonly contracts?: readonly string[];
  /** The implementation and the collection of this platform's agents by chain, to tell its accounts from others. */
  readonly platform: readonly {
    readonly chain: string;
    readonly implementation: string;
    readonly agentNft: string;
  }[];
  /** Tokens whose issuer's freeze list is read. Absent when it was not read, and in evidence of earlier releases. */
  readonly tokens?: readonly { readonly chain: string; readonly token: string; readonly name: string }[];
  /**
   * The session keys of the agents that have this account. Absent when principals were not read, and in evidence of
   * earlier releases.
   */
  readonly sessionKeys?: readonly string[];
  /** The transaction that the asker is to send. Absent when none was named. */
  readonly transaction?: AskedTransaction;
  /**
   * 2: the effects of the transaction are judged for every account that the sender decides over, and by what comes for what
   * leaves. Absent when no transaction was named, and in evidence of earlier releases.
   */
  readonly effects?: 2;
  /** Where the request comes from. Absent when it was not said. */
  readonly origin?: OriginEvidence;
  /** What each chain requires. Absent in evidence of earlier releases, and where no EVM chain is asked. */
  readonly policy?: readonly ChainPolicy[];
  /** What is read from Solana. Absent when nothing is, and in evidence of earlier releases. */
  readonly solana?: {
    /** The mints of the wallet's own token accounts that are read. */
    readonly mints: readonly { readonly mint: string; readonly name: string }[];
  };
}

/** Somebody who decides over an account or over another who does, as a contract itself tells it. Lower case. */
export interface PrincipalEdge {
  readonly of: string;
  readonly who: string;
  /** In words, such as `an owner (2 of 3 sign)`. */
  readonly role: string;
  /** The function or the slot that told it, at the pinned block. */
  readonly source: string;
  /** 1: it decides over the account itself. */
  readonly distance: number;
  /** Decides without anybody else; one of several signers of whom more must sign does not. */
  readonly alone: boolean;
}

/** The owners of a token-bound account (ERC-6551), nearest first, lower case; empty for any other account. */
export interface Principals {
  readonly owners: readonly string[];
  /** Why the owner above the last of them is unknown; null when the last one is the end of the line. */
  readonly unknown: string | null;
  /** Whoever else decides over the account or its owners. Absent in evidence of earlier releases. */
  readonly edges?: readonly PrincipalEdge[];
  /** Who may decide, too, and was not looked at, in words. Absent where that is nobody. */
  readonly unread?: readonly string[];
}

/** An approval by which somebody else may move tokens of the account. Addresses in lower case. */
export interface StandingGrant {
  readonly token: string;
  readonly spender: string;
  /** An ERC-20 allowance, one of Permit2, or an operator of all tokens of a collection. */
  readonly via: 'allowance' | 'permit2' | 'operator';
  /** As the token tells it at the pinned block, decimal, above zero. */
  readonly amount: string;
}

/** The approvals of an account that stand, of those that it gave from a block on. */
export interface Grants {
  readonly fromBlock: string;
  /** It gave more than were asked for. */
  readonly more: boolean;
  /**
   * Of tokens that are not known, only those given in transactions that it sent. Absent in evidence from when the word of
   * any contract was taken.
   */
  readonly own?: true;
  readonly live: readonly StandingGrant[];
}

interface StoppedDeal {
  readonly dealId: string;
  readonly at: string;
  readonly reason: string;
}

/** What this platform's own records say about an address, within `days` before the evidence. */
export interface PlatformHistory {
  readonly days: number;
  /** Held against the address by earlier releases; now always empty. */
  readonly hardFlags: readonly { readonly recordId: string; readonly at: string; readonly check: string }[];
  /** The same as `hardFlags`. */
  readonly stoppedDeals: readonly StoppedDeal[];
  /** What is reported but not judged: a past verdict of this platform is no evidence for the next one. */
  readonly told?: { readonly stoppedDeals: readonly StoppedDeal[] };
}

export interface ChainReading {
  readonly chain: string;
  readonly nonce: number | null;
  /** Wei, decimal. */
  readonly balance: string | null;
  readonly code: CodeFacts | null;
  /** What the token's issuer says about this address (`isBlacklisted`); `no-list` when the token has no such list. */
  readonly freeze?: { readonly token: string; readonly state: 'frozen' | 'clear' | 'no-list' } | null;
  /** The latest transfers, as this seat read them. Absent when transfers were not read. */
  readonly tail?: Tail | null;
  /** Absent when approvals were not read. */
  readonly grants?: Grants | null;
  /** What the transaction would do, on its chain. Absent when none was named. */
  readonly simulation?: Simulation | null;
  /** Absent when principals were not read. */
  readonly principals?: Principals | null;
  /** Why something here is null. */
  readonly fault: string | null;
}

export interface WalletFacts {
  readonly chains: readonly ChainReading[];
  readonly solana?: SolanaReading;
}
