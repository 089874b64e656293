import type { LocalAccount } from 'viem';
import { createSigner, type Signer } from '../../chain/tx/signer.ts';
import { nonceStore } from '../../store/chain-sync/signers.ts';
import type { Database } from '../../store/database.ts';
import type { ChainEngine } from '../embedded/engines.ts';

interface KeyUse {
  readonly db: Database;
  readonly engine: Pick<ChainEngine, 'chainId' | 'rpcUrls'>;
  readonly account: LocalAccount;
  /** The most that is ever offered, wei per gas. */
  readonly feeCap: bigint;
  readonly crash: (point: string) => void;
}

/** A key of the service on one chain, its nonces kept in the database: safe in any number of processes. */
export function serviceSigner({ db, engine, account, feeCap, crash }: KeyUse): Signer {
  const { chainId, rpcUrls } = engine;
  const book = nonceStore(db, { chainId, address: account.address.toLowerCase() });
  return createSigner({ rpcUrl: rpcUrls[0], chainId, privateKey: account, feeCap, crash, book });
}
