import type { Abi, Address, Hex, Log } from 'viem';
import { readable } from '../../agents/readable.ts';

export type { Abi, Address, Hex };

export interface Head {
  readonly number: bigint;
  readonly hash: Hex;
  /** In unix seconds. */
  readonly timestamp: bigint;
}

/** A block by its number, or by number and hash; with a hash, only the state of exactly that block is read. */
export type Place = bigint | Pick<Head, 'number' | 'hash'>;

/** The number of the block at a place. */
export function blockNumberOf(place: Place): bigint {
  return typeof place === 'bigint' ? place : place.number;
}

export interface ChainLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
}

/** The native currency that one transaction moved; of a contract's creation, `to` is the contract. Lower case. */
export interface ValueTransfer {
  readonly tx: string;
  readonly from: string;
  readonly to: string;
  /** In wei, above zero. */
  readonly amount: bigint;
}

/** A contract that a transaction created by itself; what contracts create within one is in no block. Lower case. */
export interface Creation {
  readonly tx: string;
  readonly by: string;
  readonly contract: string;
}

/** A whole block, as far as money and new contracts are concerned. */
export interface BlockTransfers extends Head {
  readonly transfers: readonly ValueTransfer[];
  readonly created: readonly Creation[];
}

/** What is known of one transaction that succeeded. Lower case. */
export interface Receipt {
  readonly block: bigint;
  readonly from: string;
  /** The contract that it created by itself; null when it created none. */
  readonly created: string | null;
}

/** Converts a log for viem's decoders, which only look at its topics and data. */
export function viemLog(log: ChainLog): Log<bigint, number, false> {
  return { ...log, topics: [...log.topics] as [Hex, ...Hex[]], transactionIndex: 0, removed: false };
}

export interface ReadCall {
  readonly address: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args?: readonly unknown[];
  /** The encoded function and arguments, for a call that is made often. */
  readonly data?: Hex;
  /** Who asks, for what only this account may do; nobody when left out. */
  readonly from?: Address;
  /**
   * How many elements of the one list of words that it answers are told, or how many bytes it may answer. Left out where
   * the contract is known.
   */
  readonly most?: number;
  /** `latest` reads at the node's present block; the answer itself must then say which one that is. */
  readonly block: Place | 'latest';
}

export interface LogQuery {
  /** One address, or any of several. */
  readonly address?: Address | readonly Address[];
  /** As for `eth_getLogs`: null matches anything, a list matches any of its members. */
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** One call of a simulated block. */
export interface SimulatedCall {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  /** In wei. */
  readonly value: bigint;
  readonly gas: bigint;
  /** In wei per gas; nothing is paid for gas when left out. */
  readonly maxFeePerGas?: bigint;
}

/** A block that is executed on top of a pinned one, and never mined (`eth_simulateV1`). */
export interface SimulationQuery {
  readonly block: Place;
  /** Of the simulated block, above the pinned one's; at most 256 blocks higher. */
  readonly number: bigint;
  /** In unix seconds. */
  readonly time: bigint;
  readonly baseFeePerGas?: bigint;
  readonly feeRecipient?: Address;
  readonly prevRandao?: Hex;
  /** What accounts have in place of what they have, by address. */
  readonly overrides?: Readonly<Record<Address, { readonly balance?: bigint; readonly code?: Hex }>>;
  readonly calls: readonly SimulatedCall[];
}

/** What came of one simulated call. */
export interface SimulatedOutcome {
  readonly ok: boolean;
  /** What it returned, or reverted with. */
  readonly output: Hex;
  readonly gasUsed: bigint;
  /**
   * In order; of a call that failed, none. Moves of the native currency are among them as ERC-20 transfers of the address
   * {@link NATIVE} (ERC-7528).
   */
  readonly logs: readonly {
    readonly address: Address;
    readonly topics: readonly Hex[];
    readonly data: Hex;
  }[];
  /** A fork of the node said so, because the node itself does not simulate. */
  readonly fork?: true;
}

/** In the logs of a simulation: the native currency. */
export const NATIVE: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/**
 * Reads one chain through one client library and one RPC URL. Every read names its block. There are two implementations
 * with unrelated libraries, so that two reads of one fact do not share a bug. Both return the same forms: checksummed
 * addresses, `bigint` for integers above 48 bits and `number` below, structs as objects, and a single output by itself.
 */
export interface ChainReader {
  readonly client: 'viem' | 'ethers';
  readonly chainId: number;
  /** Host and port only: sources are published, and RPC URLs may contain keys. */
  readonly endpoint: string;
  /** How many seconds old the head may be; null for no limit. Left out when the age is not checked. */
  readonly maxHeadAgeSeconds?: number | null;
  /** What it reads of accounts at a block named by hash is proven against that hash. */
  readonly provesState?: true;
  head(): Promise<Head>;
  blockHash(block: bigint): Promise<Hex>;
  /** In unix seconds. */
  timestamp(block: bigint): Promise<bigint>;
  /** Call it after the last read by number. @throws ReaderError reorganised when the block has another hash by then */
  confirm(pin: Pick<Head, 'number' | 'hash'>): Promise<void>;
  code(address: Address, block: Place): Promise<Hex>;
  nonce(address: Address, block: Place): Promise<number>;
  balance(address: Address, block: Place): Promise<bigint>;
  storage(address: Address, slot: Hex, block: Place): Promise<Hex>;
  read(call: ReadCall): Promise<unknown>;
  logs(query: LogQuery): Promise<readonly ChainLog[]>;
  /**
   * The block with what its transactions moved of the native currency; those that failed moved nothing. What contracts
   * pass on within a transaction stands in no block and is not in it.
   * @param options alone: no others are asked for with it, so that it may be of any length
   */
  valueTransfers(block: bigint, options?: { readonly alone: boolean }): Promise<BlockTransfers>;
  /** Null for a transaction that the node does not have, or that failed. */
  receipt(tx: Hex): Promise<Receipt | null>;
  /**
   * Executes calls one after another in one block on top of another.
   * @throws CannotSimulate when the node does not offer it
   */
  simulate(query: SimulationQuery): Promise<readonly SimulatedOutcome[]>;
}

/**
 * - `down`: no usable answer (not reached, refused, not JSON, or the answer to another request). Retried, unless
 *   lasting.
 * - `slow`: no answer in time. Retried, too.
 * - `reverted`: the contract refused, its code failed, its answer does not fit its ABI or is too large, or there is no
 *   contract; `errorName` if it could be decoded. It is always about the contract, never about the node.
 * - `reorganised`: the node lacks the block or its state, or has another block in its place.
 * - `disagreeing`: the node is on another chain than expected, what it tells does not fit the block that it names, or two
 *   nodes have different histories.
 */
type ReaderErrorKind = 'down' | 'slow' | 'reverted' | 'reorganised' | 'disagreeing';

export class ReaderError extends Error {
  override readonly name = 'ReaderError';
  readonly kind: ReaderErrorKind;
  readonly errorName: string | undefined;
  readonly args: readonly unknown[];
  /** A retry would be refused in the same way. */
  readonly lasting: boolean;
  /** With `down`: the node's refusal does not tell whether the contract or the node caused it. */
  readonly unexplained: boolean;

  constructor(
    kind: ReaderErrorKind,
    message: string,
    options: {
      errorName?: string;
      args?: readonly unknown[];
      cause?: unknown;
      lasting?: boolean;
      unexplained?: boolean;
    } = {},
  ) {
    super(readable(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.errorName = options.errorName;
    this.args = options.args ?? [];
    this.lasting = options.lasting ?? false;
    this.unexplained = options.unexplained ?? false;
  }
}

/** The node does not offer `eth_simulateV1`. */
export class CannotSimulate extends ReaderError {
  /** @param more why nothing else simulates in its place */
  constructor(cause: unknown, more?: string) {
    const says = 'the node does not simulate transactions (eth_simulateV1)';
    super('down', more === undefined ? says : `${says}, and ${more}`, { cause, lasting: true });
  }
}

export interface ReaderOptions {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** For one attempt. */
  readonly timeoutMs?: number;
  /** How many attempts follow the first; only for `down` and `slow`. */
  readonly retries?: number;
  /** The wait before the first retry; it doubles each time. */
  readonly backoffMs?: number;
  /** For all attempts of one read together; no attempt starts after it. */
  readonly deadlineMs?: number;
  /**
   * A local chain mines only when it has transactions, so its head grows old, and every expiry and window that is
   * judged at the head would be judged too early. This is called with the head's timestamp before `head()` answers. It
   * may mine a block, and says whether it did.
   */
  readonly freshen?: (timestamp: bigint) => Promise<boolean>;
}
