import type { SolanaReading } from '../../../agents/determinations/wallet/solana/wallet-solana-facts.ts';
import type { AttemptOptions } from '../attempts.ts';
import { ReaderError } from '../reader.ts';

export type SolanaRead = Omit<SolanaReading, 'source' | 'fault'>;

/** Reads Solana through one client library and one RPC URL, at commitment `finalized`. */
export interface SolanaReader {
  readonly client: '@solana/web3.js' | '@solana/kit';
  /** Host and port only: sources are published, and RPC URLs may contain keys. */
  readonly endpoint: string;
  /**
   * Reads the account at this address, and the wallet's own token accounts of these mints, all at one slot.
   * @throws ReaderError
   */
  account(address: string, mints: readonly string[]): Promise<SolanaRead>;
}

export interface SolanaReaderOptions extends AttemptOptions {
  readonly rpcUrl: string;
  /** The genesis hash of the cluster for which the node must stand; that of mainnet-beta when left out. */
  readonly genesis?: string;
}

/** The genesis hashes of the clusters (docs.solana.com, clusters). */
export const CLUSTERS = {
  'mainnet-beta': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  testnet: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
} as const;

const named = (genesis: string): string | undefined =>
  Object.entries(CLUSTERS).find(([, hash]) => hash === genesis)?.[0];

/** The name of a cluster; its genesis hash where it has none. */
export function clusterName(genesis: string): string {
  return named(genesis) ?? genesis;
}

/** @throws ReaderError disagreeing where a node stands for another cluster than it should */
export function requireCluster(found: string, wanted: string): void {
  if (found === wanted) return;
  // What an unknown node calls its cluster may be any text, and faults are published.
  const shown = named(found) ?? 'another cluster';
  throw new ReaderError('disagreeing', `the node stands for ${shown}, and not for ${clusterName(wanted)}`);
}

/**
 * One byte more than the longest account that is recognised by its length, a multisig of the token program with 355.
 */
export const KEPT_BYTES = 356;

/** How many slots, about a minute, the node's clock may be from the slot that it names. */
export const MAX_SLOT_GAP = 150n;

/** JSON-RPC errors of a node that lags behind, or lacks the slot that was asked for: it may catch up. */
export const CATCHING_UP: readonly number[] = [-32004, -32005, -32014, -32016];

/** JSON-RPC errors that the same question will meet again: a bad request, an unknown method, bad parameters. */
export const LASTING: readonly number[] = [-32600, -32601, -32602];

/** System, stakes, tokens and the loaders of programs. Programs of the fixed loaders can never be changed. */
export const PROGRAMS = {
  system: '11111111111111111111111111111111',
  stake: 'Stake11111111111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  loaderUpgradeable: 'BPFLoaderUpgradeab1e11111111111111111111111',
  loaderV4: 'LoaderV411111111111111111111111111111111111',
  loadersFixed: [
    'NativeLoader1111111111111111111111111111111',
    'BPFLoader1111111111111111111111111111111111',
    'BPFLoader2111111111111111111111111111111111',
  ] as readonly string[],
  clock: 'SysvarC1ock11111111111111111111111111111111',
} as const;
