import type { Depth, Performer, PinnedBlocks, SeatReading } from '../../agents/determinations/panel/types.ts';
import type { AskedTransaction } from '../../agents/determinations/transaction/transaction-evidence.ts';
import type { WalletAddress } from '../../agents/determinations/wallet/address.ts';
import type { Contacts } from '../../agents/determinations/wallet/look-alike/look-alike.ts';
import type { WalletCommon, WalletFacts } from '../../agents/determinations/wallet/wallet-evidence.ts';

export interface WalletQuestion {
  readonly address: WalletAddress;
  readonly chainId: number | null;
  readonly depth: Depth | null;
  readonly performer: Performer;
  readonly transaction?: AskedTransaction;
  /** A URL or a host. */
  readonly origin?: string;
  /** Absent when the asker is unknown. */
  readonly compared?: Compared;
}

/**
 * Whose contacts the address is compared with for look-alikes: those of the asker and of nobody else. `asker` is a
 * wallet, an agent's account or its session key, lower case. If the record names the asker (`named`, a side of a deal),
 * its evidence contains all with whom it settled deals here. Otherwise it contains only those that look like the address, and whether there
 * were others, because the whole list would reveal who asked. An appeal uses the contacts that were kept the first
 * time.
 */
export type Compared = { readonly asker: string; readonly named: boolean } | { readonly kept: Contacts };

/** What the chains of one family were asked about an address, and what each seat read. */
export type Asked = Pick<WalletCommon, 'chains' | 'tokens' | 'transfers' | 'twins' | 'policy' | 'solana'> & {
  /** The depth of the panel that could be seated. */
  readonly depth: Depth | null;
  readonly blocks: PinnedBlocks;
  readonly seats: readonly SeatReading<WalletFacts>[];
};
