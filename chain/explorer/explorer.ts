import { readable } from '../../agents/readable.ts';

/** A movement of money as an explorer lists it. Addresses and hashes in lower case. */
export interface ExplorerTransfer {
  readonly tx: string;
  readonly block: bigint;
  /** In unix seconds. */
  readonly timestamp: bigint;
  /** The contract of an ERC-20; null for the currency that pays for gas. */
  readonly token: string | null;
  readonly from: string;
  readonly to: string;
  /** In the smallest unit. */
  readonly amount: bigint;
}

/** What an explorer lists about one address. */
export interface ExplorerHistory {
  /** The newest first. */
  readonly transfers: readonly ExplorerTransfer[];
  /** The explorer has, or may have, more than it lists. */
  readonly cutOff: boolean;
  /** The oldest ones are among those that it lists. */
  readonly fromStart: boolean;
  /** How many transactions the address sent, those that failed or moved nothing among them. */
  readonly sent: number;
}

/** How an address came to be, and what the explorer calls it. */
export interface ExplorerProfile {
  /** Who deployed the contract; null for an account without code, and where the explorer does not say. */
  readonly creator: { readonly address: string; readonly tx: string | null } | null;
  /** The explorer's own names and tags; they are shown and prove nothing. */
  readonly labels: readonly string[];
}

/** A block explorer as a source: history that no node gives. One source, whatever it says. */
export interface Explorer {
  readonly chainId: number;
  /** Host and port only: the URL may contain a key. */
  readonly endpoint: string;
  /**
   * Transfers of the native currency and of these tokens, from and to an address, up to a block. Each token is asked for by
   * itself: anybody can make a token that names anybody a thousand times, and an explorer lists only so many rows. What moved
   * nothing is left out: a token lets anybody move nothing in anybody's name, so that it takes no place of what moved of that
   * token, up to {@link MOST_TURNS} times as many rows.
   * @throws ExplorerError
   */
  transfers(address: string, upTo: bigint, tokens: readonly string[]): Promise<ExplorerHistory>;
  /** @throws ExplorerError */
  profile(address: string): Promise<ExplorerProfile>;
}

/**
 * - `down`: not reached, broken off, or an HTTP error.
 * - `slow`: no whole answer in time.
 * - `limited`: still too many requests after the pauses.
 * - `refused`: an error inside an answer of HTTP 200.
 * - `malformed`: not JSON, not the declared shape, too large, or rows about something else than was asked.
 */
export class ExplorerError extends Error {
  override readonly name = 'ExplorerError';
  readonly kind: 'down' | 'slow' | 'limited' | 'refused' | 'malformed';

  constructor(kind: ExplorerError['kind'], message: string, options?: ErrorOptions) {
    super(readable(message).slice(0, 200), options);
    this.kind = kind;
  }
}

export interface ExplorerOptions {
  /** With its key, if it needs one. */
  readonly url: string;
  readonly chainId: number;
  /** For one request; 5,000 when left out. */
  readonly timeoutMs?: number;
  /** The pause before the first retry after a rate limit; it doubles. 300 when left out. */
  readonly pauseMs?: number;
}

/** Rows of one question are no more than this; an explorer of Etherscan's shape has no row beyond them. */
export const MOST_ROWS = 10_000;

/**
 * How many times as many rows of one token are read where many of them moved nothing. Of transactions, of which each costs
 * whoever sends it, no more are read: many honest accounts sent thousands that moved no native currency.
 */
export const MOST_TURNS = 3;
