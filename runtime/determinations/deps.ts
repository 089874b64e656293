import type { Deployment } from '../../chain/deploy/deployment.ts';
import type { ChainReader } from '../../chain/rpc/reader.ts';
import type { SolanaReader } from '../../chain/rpc/solana.ts';
import type { Database } from '../../store/database.ts';
import type { GoodsLookup } from './evidence/goods-lookup.ts';
import type { Reasoner } from './models/reasoner.ts';

/** Two clients for one chain: different code, and different RPC URLs where two are configured. */
export interface ChainReaders {
  readonly viem: ChainReader;
  readonly ethers: ChainReader;
}

export interface EvidenceDeps {
  readonly db: Database;
  /** By chain id; a chain without an entry has no RPC. */
  readonly readers: ReadonlyMap<number, ChainReaders>;
  /** Null or left out: no Solana RPC is configured, and what is asked of Solana is INCONCLUSIVE. */
  readonly solana?: SolanaReader | null;
  readonly deployments: ReadonlyMap<number, Deployment>;
  readonly now: () => Date;
  /** Language models that join the panels of superconsensus; none when left out. */
  readonly reasoners?: readonly Reasoner[];
  /** Registers of goods that others keep, asked by serial; none when left out. */
  readonly lookups?: readonly GoodsLookup[];
  /** The record that is appealed against: it is not held against its own subject. */
  readonly appealOf?: string;
  /** How long one seat may read before it is silent; 8,000 when left out. */
  readonly seatTimeoutMs?: number;
}

export const SEAT_TIMEOUT_MS = 8_000;

/** One chain of several has less time than the seat, so that a dead chain does not silence the living ones. */
export function chainTimeoutMs(deps: EvidenceDeps): number {
  return Math.floor((deps.seatTimeoutMs ?? SEAT_TIMEOUT_MS) * 0.75);
}

/** CAIP-2. */
export function caip2(chainId: number): string {
  return `eip155:${chainId}`;
}

/** The answer, or an error that names what took too long. The slow work is left to end by itself. */
export async function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One line of an error for a public record: no client details, and no RPC URL, which may carry a key. */
export function faultOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').replaceAll(/\b(?:https?|wss?):\/\/\S+/g, 'the RPC').slice(0, 200);
}
