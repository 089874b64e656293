import type { CodeFacts } from './account-code.ts';
import type { Exposure } from './exposure.ts';
import type { RegisterState } from './lists.ts';
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
  /** What is asked of Solana. Absent where nothing was, as in what earlier releases kept. */
  readonly solana?: {
    /** Mints of which the wallet's own token accounts are read. */
    readonly mints: readonly { readonly mint: string; readonly name: string }[];
  };
}

/** What this platform's own records say of an address, within `days` before the evidence. */
export interface PlatformHistory {
  readonly days: number;
  readonly hardFlags: readonly { readonly recordId: string; readonly at: string; readonly check: string }[];
  readonly stoppedDeals: readonly { readonly dealId: string; readonly at: string; readonly reason: string }[];
}

export interface ChainReading {
  readonly chain: string;
  readonly nonce: number | null;
  /** Wei, decimal. */
  readonly balance: string | null;
  readonly code: CodeFacts | null;
  /** What the token's issuer says of this address (`isBlacklisted`); `no-list` when the token has no such list. */
  readonly freeze?: { readonly token: string; readonly state: 'frozen' | 'clear' | 'no-list' } | null;
  /** Why something here is null. */
  readonly fault: string | null;
}

export interface WalletFacts {
  readonly chains: readonly ChainReading[];
  readonly solana?: SolanaReading;
}
