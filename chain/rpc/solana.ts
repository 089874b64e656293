import { type AccountInfo, Connection, PublicKey, SolanaJSONRPCError } from '@solana/web3.js';
import type { SolanaReading, TokenAccount } from '../../agents/determinations/wallet/wallet-solana-facts.ts';
import { type AttemptOptions, attempts, both, endpointOf } from './attempts.ts';
import { ReaderError } from './reader.ts';
import {
  KEPT_BYTES,
  programDataAddress,
  type RawAccount,
  shapeOf,
  tokenAccountOf,
  tokenAddress,
} from './solana-accounts.ts';
import { wholeAnswers } from './whole-answers.ts';

type Read = Omit<SolanaReading, 'source' | 'fault'>;

/** Reads Solana through one client library and one RPC URL, at commitment `finalized`. */
export interface SolanaReader {
  readonly client: '@solana/web3.js';
  /** Host and port only: sources are published, and RPC URLs may contain keys. */
  readonly endpoint: string;
  /**
   * Reads the account at this address, and the wallet's own token accounts of these mints, all at one slot.
   * @throws ReaderError
   */
  account(address: string, mints: readonly string[]): Promise<Read>;
}

export interface SolanaReaderOptions extends AttemptOptions {
  readonly rpcUrl: string;
}

/** The clusters by genesis hash (docs.solana.com, clusters). */
const CLUSTERS: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet-beta',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
};

const CLOCK = new PublicKey('SysvarC1ock11111111111111111111111111111111');
/** How many slots, about a minute, the node's clock may be from the slot that it names. */
const MAX_SLOT_GAP = 150n;

export function solanaReader(options: SolanaReaderOptions): SolanaReader {
  const { rpcUrl, timeoutMs = 5_000 } = options;
  const connection = new Connection(rpcUrl, {
    commitment: 'finalized',
    disableRetryOnRateLimit: true,
    fetch: wholeAnswers(timeoutMs * 0.9),
  });
  const attempt = attempts(options, classify);
  let genesis: string | null = null;

  const sameCluster = async (): Promise<void> => {
    const found = await connection.getGenesisHash();
    if (genesis !== null && genesis !== found)
      throw new ReaderError('disagreeing', `the node stood for the cluster ${genesis} and now for ${found}`);
    genesis = found;
  };

  return {
    client: '@solana/web3.js',
    endpoint: endpointOf(rpcUrl),
    account: (address, mints) =>
      attempt(async () => {
        const who = new PublicKey(address);
        const keys = [who, CLOCK, programDataAddress(who), ...mints.map((mint) => tokenAddress(who, mint))];
        const dataSlice = { offset: 0, length: KEPT_BYTES };
        const { context, value } = await both(
          sameCluster(),
          connection.getMultipleAccountsInfoAndContext(keys, { commitment: 'finalized', dataSlice }),
        );
        if (value.length !== keys.length)
          throw new ReaderError('down', `the node answers ${value.length} accounts for ${keys.length}`);
        const [account, clock, programData, ...own] = value.map(rawOf);
        const holdings = own.map((held, i) => ownHolding(held, mints[i]!, address)).filter((t) => t !== null);
        const lamports = value[0]?.lamports ?? 0;
        return {
          cluster: CLUSTERS[genesis ?? ''] ?? genesis,
          slot: String(context.slot),
          at: timeOf(clock ?? null, BigInt(context.slot)),
          onCurve: PublicKey.isOnCurve(who.toBytes()),
          account: account
            ? {
                lamports: BigInt(lamports).toString(),
                owner: account.owner,
                executable: account.executable,
                is: shapeOf(account, programData ?? null),
              }
            : null,
          holdings,
        };
      }),
  };
}

function rawOf(info: AccountInfo<Buffer> | null): RawAccount | null {
  if (info === null) return null;
  return { owner: info.owner.toBase58(), executable: info.executable, data: info.data };
}

/** An associated account whose holder was changed no longer belongs to this wallet. */
function ownHolding(held: RawAccount | null, mint: string, wallet: string): TokenAccount | null {
  const token = tokenAccountOf(held, mint);
  return token?.holder === wallet ? token : null;
}

/**
 * The cluster's time, from its Clock account, which is read together with the rest: slot, three epoch fields, unix
 * seconds.
 */
function timeOf(clock: RawAccount | null, slot: bigint): string {
  if (clock === null || clock.data.length < 40)
    throw new ReaderError('down', 'the node does not show the clock');
  const shown = clock.data.readBigUInt64LE(0);
  const gap = shown > slot ? shown - slot : slot - shown;
  if (gap > MAX_SLOT_GAP)
    throw new ReaderError('disagreeing', `the node names slot ${slot}, and its clock slot ${shown}`);
  const seconds = Number(clock.data.readBigInt64LE(32));
  // `toISOString` throws for times beyond the range of dates.
  if (!(seconds > 0 && seconds < 8.64e12)) throw new ReaderError('down', 'the node shows no time');
  return new Date(seconds * 1000).toISOString();
}

/** The node lags behind, or lacks the slot that was asked for; it may have caught up by the next attempt. */
const CATCHING_UP = [-32004, -32005, -32014, -32016];

function classify(error: unknown): ReaderError {
  if (error instanceof SolanaJSONRPCError) {
    const code = Number(error.code);
    if (CATCHING_UP.includes(code))
      return new ReaderError('down', `the node is behind (${code})`, { cause: error });
    const lasting = code === -32600 || code === -32601 || code === -32602;
    return new ReaderError('down', `the node refuses with ${code}`, { cause: error, lasting });
  }
  for (let e: unknown = error; e instanceof Error; e = e.cause) if (e instanceof ReaderError) return e;
  return new ReaderError('down', 'the node is not reachable, or its answer has another form', {
    cause: error,
  });
}
