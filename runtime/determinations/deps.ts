import type { RequiredCheck } from '../../agents/determinations/wallet/wallet-evidence.ts';
import type { NameContracts } from '../../chain/clients/name-tokens.ts';
import type { Deployment } from '../../chain/deploy/deployment.ts';
import type { Explorer } from '../../chain/explorer/explorer.ts';
import type { DollarToken, KnownChain } from '../../chain/known-chains.ts';
import type { ChainReader, Head } from '../../chain/rpc/reader.ts';
import type { SolanaReader } from '../../chain/rpc/solana/reader.ts';
import type { Database } from '../../store/database.ts';
import type { GoodsLookup } from './evidence/provenance/goods-lookup.ts';
import type { Reasoner } from './models/reasoner.ts';
import type { SeatBudget, Spender } from './models/seat-budget.ts';

/** Two clients for one chain: different code, and different RPC URLs where two are configured. */
export interface ChainReaders {
  readonly viem: ChainReader;
  readonly ethers: ChainReader;
}

/** The blocks at which the determinations of one moment read. */
export interface SharedPins {
  /** By chain id. */
  readonly heads: Map<number, Promise<Head>>;
  /** After a reorganisation: forgets the blocks, and what was read of any chain. */
  forget(): void;
}

export interface EvidenceDeps {
  readonly db: Database;
  /** By chain id; a chain without an entry has no RPC. Nothing of this service stands on one without a deployment. */
  readonly readers: ReadonlyMap<number, ChainReaders>;
  /**
   * Up to two readers of Solana, by different clients over different RPC URLs. Empty or absent: none is configured, and
   * everything asked of Solana is INCONCLUSIVE.
   */
  readonly solana?: readonly SolanaReader[];
  readonly deployments: ReadonlyMap<number, Deployment>;
  /** Contracts whose tokens are names; absent: none is configured. */
  readonly nameTokens?: NameContracts;
  /** A block explorer by chain id; a chain without an entry has none. */
  readonly explorers?: ReadonlyMap<number, Explorer>;
  /** Names and dollar tokens of chains, where they are published. */
  readonly known?: ReadonlyMap<number, KnownChain>;
  /** By chain id: what must be looked at before an address may be CLEAN; the default where a chain has no entry. */
  readonly policies?: ReadonlyMap<number, readonly RequiredCheck[]>;
  /** The time at which it is judged. */
  readonly now: () => Date;
  /** The running clock, where `now` is the time of one moment; absent: `now` runs. */
  readonly clock?: () => Date;
  /** The blocks of one moment; absent: each determination reads at the newest. */
  readonly pins?: SharedPins;
  /** Language models that join the panels of superconsensus; absent: none. */
  readonly reasoners?: readonly Reasoner[];
  /** How often a day they may be asked; absent: as often as there is a question. */
  readonly seatBudget?: SeatBudget;
  /** Whose budget it is; absent: that of who asks, or of the agent whose deal it is. */
  readonly spender?: Spender;
  /** Registers of goods that others keep, asked by serial; absent: none. */
  readonly lookups?: readonly GoodsLookup[];
  /** The record that is appealed against; it does not count against its own subject. */
  readonly appealOf?: string;
  /** How long one seat may read before it counts as silent; 8,000 when absent. */
  readonly seatTimeoutMs?: number;
}

/** With whose budget models are asked, unless that is said already. */
export function spentBy(deps: EvidenceDeps, spender: Spender): EvidenceDeps {
  return { ...deps, spender: deps.spender ?? spender };
}

export const SEAT_TIMEOUT_MS = 8_000;

/** One chain has less time than the whole seat, so that a dead chain does not silence the others. */
export function chainTimeoutMs(deps: EvidenceDeps): number {
  return Math.floor((deps.seatTimeoutMs ?? SEAT_TIMEOUT_MS) * 0.75);
}

/** Milliseconds since, by the running clock. */
export function msSince(deps: EvidenceDeps, started: Date): number {
  return (deps.clock ?? deps.now)().getTime() - started.getTime();
}

/** The dollar tokens of a chain: where this service stands, its own; the first may have a freeze list. */
export function dollarTokens(deps: EvidenceDeps, chainId: number): readonly DollarToken[] {
  const own = deps.deployments.get(chainId)?.usdc;
  if (own !== undefined) return [{ token: own, name: 'USDC', decimals: 6 }];
  return deps.known?.get(chainId)?.dollars ?? [];
}

/** CAIP-2. */
export function caip2(chainId: number): string {
  return `eip155:${chainId}`;
}

/** The answer, or an error that names what took too long. The slow work is not aborted. */
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

/** One line of an error for a public record, without client details and without an RPC URL, which may contain a key. */
export function faultOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').replaceAll(/\b(?:https?|wss?):\/\/\S+/g, 'the RPC').slice(0, 200);
}
