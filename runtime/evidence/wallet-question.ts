import type { WalletAddress } from '../../agents/determinations/address.ts';
import type { Depth, Performer, PinnedBlocks, SeatReading } from '../../agents/determinations/types.ts';
import type { WalletCommon, WalletFacts } from '../../agents/determinations/wallet-evidence.ts';

export interface WalletQuestion {
  readonly address: WalletAddress;
  readonly chainId: number | null;
  readonly depth: Depth | null;
  readonly performer: Performer;
  /** The owner who asks, lower case: whom it dealt with is nobody else's to be compared with. */
  readonly asker?: string;
}

/** What the chains of one family were asked about an address, and what every seat read. */
export type Asked = Pick<WalletCommon, 'chains' | 'tokens' | 'solana'> & {
  readonly blocks: PinnedBlocks;
  readonly seats: readonly SeatReading<WalletFacts>[];
};
