import type { Abi, Address, Hex } from 'viem';

export interface Head {
  readonly number: bigint;
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** A block by its number, or by number and hash: then what is read is of that very block, or nothing. */
export type Place = bigint | Pick<Head, 'number' | 'hash'>;

export interface ChainLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
}

export interface ReadCall {
  readonly address: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args?: readonly unknown[];
  /** The function with its arguments, encoded already: for a call that is made again and again. */
  readonly data?: Hex;
  /** `latest`: of whatever block the node stands at, which the answer itself must tell. */
  readonly block: Place | 'latest';
}

export interface LogQuery {
  /** One, or any of these. */
  readonly address?: Address | readonly Address[];
  /** As `eth_getLogs` takes them: null matches anything, a list matches any of its members. */
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/**
 * Reads one chain through one client library over one RPC URL. Every reading names its block. Implemented twice by
 * unrelated libraries, so that two readings of one fact do not share a bug; both return the same shapes: checksummed
 * addresses, `bigint` for integers above 48 bits and `number` below, structs as objects, one output bare.
 */
export interface ChainReader {
  readonly client: 'viem' | 'ethers';
  readonly chainId: number;
  /** Host and port only: RPC URLs carry keys, and sources are published. */
  readonly endpoint: string;
  head(): Promise<Head>;
  blockHash(block: bigint): Promise<Hex>;
  /** Asked after the last reading by number: @throws ReaderError reorganised, when the block has another hash by now. */
  confirm(pin: Pick<Head, 'number' | 'hash'>): Promise<void>;
  code(address: Address, block: Place): Promise<Hex>;
  nonce(address: Address, block: Place): Promise<number>;
  balance(address: Address, block: Place): Promise<bigint>;
  storage(address: Address, slot: Hex, block: Place): Promise<Hex>;
  read(call: ReadCall): Promise<unknown>;
  logs(query: LogQuery): Promise<readonly ChainLog[]>;
}

/**
 * - `down`: no usable answer (not reached, refused, no JSON, the answer to another question). Tried again, unless lasting.
 * - `slow`: no answer in time. Tried again too.
 * - `reverted`: the contract refused, or no contract answers there; `errorName` where it could be decoded.
 * - `reorganised`: the node does not have the block asked for or its state, or has another block in its place.
 * - `disagreeing`: the node answers for another chain than it is asked about, or two nodes tell different histories.
 */
type ReaderErrorKind = 'down' | 'slow' | 'reverted' | 'reorganised' | 'disagreeing';

export class ReaderError extends Error {
  override readonly name = 'ReaderError';
  readonly kind: ReaderErrorKind;
  readonly errorName: string | undefined;
  readonly args: readonly unknown[];
  /** Another attempt would be refused in the same way. */
  readonly lasting: boolean;

  constructor(
    kind: ReaderErrorKind,
    message: string,
    options: { errorName?: string; args?: readonly unknown[]; cause?: unknown; lasting?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.errorName = options.errorName;
    this.args = options.args ?? [];
    this.lasting = options.lasting ?? false;
  }
}

export interface ReaderOptions {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** For one attempt. */
  readonly timeoutMs?: number;
  /** Attempts after the first, for `down` and `slow` alone. */
  readonly retries?: number;
  /** Before the first further attempt; doubles each time. */
  readonly backoffMs?: number;
  /** For all attempts of one reading together; no attempt starts after it. */
  readonly deadlineMs?: number;
  /**
   * A local chain mines only when it has something to do, so its head grows old and with it every expiry and window
   * judged there. Called with the head's timestamp before `head()` answers; may mine, and says whether it did.
   */
  readonly freshen?: (timestamp: bigint) => Promise<boolean>;
}
