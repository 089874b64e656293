import { type AccountInfo, Connection, PublicKey, SolanaJSONRPCError } from '@solana/web3.js';
import type { TokenAccount } from '../../../agents/determinations/wallet/solana/wallet-solana-facts.ts';
import { attempts, both, endpointOf } from '../attempts.ts';
import { ReaderError } from '../reader.ts';
import { wholeAnswers } from '../whole-answers.ts';
import {
  CATCHING_UP,
  CLUSTERS,
  clusterName,
  KEPT_BYTES,
  LASTING,
  MAX_SLOT_GAP,
  PROGRAMS,
  requireCluster,
  type SolanaReader,
  type SolanaReaderOptions,
} from './reader.ts';
import {
  programDataAddress,
  type RawAccount,
  shapeOf,
  tokenAccountOf,
  tokenAddress,
} from './web3-accounts.ts';

const CLOCK = new PublicKey(PROGRAMS.clock);

/** Reads through `@solana/web3.js`, and decodes accounts by their offsets. */
export function web3SolanaReader(options: SolanaReaderOptions): SolanaReader {
  const { rpcUrl, genesis = CLUSTERS['mainnet-beta'], timeoutMs = 5_000 } = options;
  const connection = new Connection(rpcUrl, {
    commitment: 'finalized',
    disableRetryOnRateLimit: true,
    fetch: wholeAnswers(timeoutMs * 0.9),
  });
  const attempt = attempts(options, classify);
  const sameCluster = async (): Promise<void> => requireCluster(await connection.getGenesisHash(), genesis);

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
          cluster: clusterName(genesis),
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

function classify(error: unknown): ReaderError {
  if (error instanceof SolanaJSONRPCError) {
    const code = Number(error.code);
    if (CATCHING_UP.includes(code))
      return new ReaderError('down', `the node is behind (${code})`, { cause: error });
    return new ReaderError('down', `the node refuses with ${code}`, {
      cause: error,
      lasting: LASTING.includes(code),
    });
  }
  for (let e: unknown = error; e instanceof Error; e = e.cause) if (e instanceof ReaderError) return e;
  return new ReaderError('down', 'the node is not reachable, or its answer has another form', {
    cause: error,
  });
}
