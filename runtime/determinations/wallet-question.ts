import type { Depth, Performer, PinnedBlocks, SeatReading } from '../../agents/determinations/panel/types.ts';
import type { WalletAddress } from '../../agents/determinations/wallet/address.ts';
import type { Contacts } from '../../agents/determinations/wallet/look-alike.ts';
import type { WalletCommon, WalletFacts } from '../../agents/determinations/wallet/wallet-evidence.ts';

export interface WalletQuestion {
  readonly address: WalletAddress;
  readonly chainId: number | null;
  readonly depth: Depth | null;
  readonly performer: Performer;
  /** Left out where nobody is known who asks. */
  readonly compared?: Compared;
}

/**
 * Those for whom the address must not be taken: whom the asker dealt with, and nobody else. `asker` is a wallet, an
 * agent's account or its session key, lower case. Where the record says who asks (`named`, a side of a deal) its
 * evidence holds them all. Where it does not it tells only of those who look like the address, and whether there were
 * others: the whole list would tell the world who had asked. An appeal is compared with what was kept the first time.
 */
export type Compared = { readonly asker: string; readonly named: boolean } | { readonly kept: Contacts };

/** What the chains of one family were asked about an address, and what every seat read. */
export type Asked = Pick<WalletCommon, 'chains' | 'tokens' | 'solana'> & {
  readonly blocks: PinnedBlocks;
  readonly seats: readonly SeatReading<WalletFacts>[];
};
