import type { RegisterState } from '../panel/lists.ts';
import type { CodeFacts } from './account-code.ts';
import type { Exposure } from './exposure.ts';
import type { Contacts } from './look-alike.ts';
import type { SolanaReading } from './wallet-solana-facts.ts';

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
  /** Absent where nobody is named who asks, as in what earlier releases kept. */
  readonly contacts?: Contacts;
  /** Whom it dealt with here. Absent in what earlier releases kept. */
  readonly exposure?: Exposure;
  /** The platform's own agents' implementation and collection by chain, to tell its accounts from others. */
  readonly platform: readonly {
    readonly chain: string;
    readonly implementation: string;
    readonly agentNft: string;
  }[];
  /** Tokens whose issuer's freeze list is asked. Absent where it was not asked, as in what earlier releases kept. */
  readonly tokens?: readonly { readonly chain: string; readonly token: string; readonly name: string }[];
  /** The session keys of the agents that have this account. Absent where principals were not asked after, as in what earlier releases kept. */
  readonly sessionKeys?: readonly string[];
  /** What is asked of Solana. Absent where nothing was, as in what earlier releases kept. */
  readonly solana?: {
    /** Mints of which the wallet's own token accounts are read. */
    readonly mints: readonly { readonly mint: string; readonly name: string }[];
  };
}

/** Who stands behind a token-bound account (ERC-6551), nearest first, lower case; nobody behind any other. */
export interface Principals {
  readonly owners: readonly string[];
  /** Why nobody knows who stands above the last of them; null where he is the last. */
  readonly unknown: string | null;
}

interface StoppedDeal {
  readonly dealId: string;
  readonly at: string;
  readonly reason: string;
}

/** What this platform's own records say of an address, within `days` before the evidence. */
export interface PlatformHistory {
  readonly days: number;
  /** Held against it by earlier releases; nothing is put here any more. */
  readonly hardFlags: readonly { readonly recordId: string; readonly at: string; readonly check: string }[];
  /** Likewise. */
  readonly stoppedDeals: readonly StoppedDeal[];
  /** What is told and judges nobody: an own past verdict is no evidence for the next. */
  readonly told?: { readonly stoppedDeals: readonly StoppedDeal[] };
}

export interface ChainReading {
  readonly chain: string;
  readonly nonce: number | null;
  /** Wei, decimal. */
  readonly balance: string | null;
  readonly code: CodeFacts | null;
  /** What the token's issuer says of this address (`isBlacklisted`); `no-list` when the token has no such list. */
  readonly freeze?: { readonly token: string; readonly state: 'frozen' | 'clear' | 'no-list' } | null;
  /** Absent where nobody asked. */
  readonly principals?: Principals | null;
  /** Why something here is null. */
  readonly fault: string | null;
}

export interface WalletFacts {
  readonly chains: readonly ChainReading[];
  readonly solana?: SolanaReading;
}
