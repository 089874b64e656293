import type { CodeFacts } from './account-code.ts';
import type { RegisterState } from './lists.ts';

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
  /** The platform's own agents' implementation and collection by chain, to tell its accounts from others. */
  readonly platform: readonly {
    readonly chain: string;
    readonly implementation: string;
    readonly agentNft: string;
  }[];
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
  /** Why something here is null. */
  readonly fault: string | null;
}

export interface WalletFacts {
  readonly chains: readonly ChainReading[];
}
