import type { Address, Hex } from 'viem';

/** The content of a transaction, without its nonce and fees. */
export interface Content {
  readonly to: Address;
  readonly data: Hex;
  /** In wei. */
  readonly value: bigint;
  readonly gas: bigint;
  /** What the transaction is for, such as `settle:deal_…`; none when nobody will ask for it. */
  readonly purposes: readonly string[];
}

/** The fees of EIP-1559, in wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** One nonce and the transaction under it. Its versions differ only in their fees. */
export interface Entry extends Content {
  readonly nonce: number;
  /** The fees of the version that was sent last. */
  readonly fees: Fees;
  readonly earlier: readonly Fees[];
  /** Milliseconds since it was created or last sent. */
  readonly quietMs: number;
}

/**
 * Stores which nonce is next for one key on one chain, and the transaction of each nonce. It is written before anything
 * is signed, so that a transaction survives the process that took its nonce. Every step is atomic between all
 * processes.
 */
export interface NonceStore {
  /**
   * Takes the next nonce and stores the content under it. Null when the store does not know the key; `atLeast` adds it.
   */
  take(content: Content, fees: Fees): Promise<number | null>;
  /** Adds the key, or raises its next nonce; never lowers it. */
  atLeast(nonce: number): Promise<void>;
  /**
   * For a transaction that the node refused. `free`: its nonce is the next one again. `gap`: later ones were taken
   * meanwhile, and an empty transaction to `self` takes its place. `rebroadcast`: another process has rebroadcast it.
   */
  giveBack(nonce: number, self: Address): Promise<'free' | 'gap' | 'rebroadcast'>;
  /** Deletes a transaction whose nonce was used by somebody who does not share this store. */
  drop(nonce: number): Promise<void>;
  entry(nonce: number): Promise<Entry | null>;
  /** The next nonce, and the entries from `nonce` on, the lowest first, at most `limit`. */
  from(nonce: number, limit: number): Promise<{ readonly next: number | null; readonly entries: Entry[] }>;
  /** The nonces of the key's transactions for this purpose. */
  withPurpose(purpose: string): Promise<number[]>;
  /** Claims an entry that was not touched for so long, to send it again. Only one caller gets true. */
  claim(nonce: number, quietMs: number): Promise<boolean>;
  /**
   * Replaces the fees of an entry and keeps the old ones among the earlier. False when the fees are no longer `from`.
   */
  raise(nonce: number, from: Fees, to: Fees): Promise<boolean>;
  /** Stores an empty transaction to `self` under an unused nonce below the next one. */
  fill(nonce: number, self: Address, fees: Fees): Promise<void>;
  /** Lowers the next nonce, if it still is `from` and there is no entry at or above `to`. */
  lower(from: number, to: number): Promise<boolean>;
  /** Deletes entries below a nonce that were not touched for so long. */
  forget(below: number, quietMs: number): Promise<void>;
}

/** The transaction that fills a nonce gap: nothing, sent to oneself. */
export function emptyTo(self: Address): Content {
  return { to: self, data: '0x', value: 0n, gas: 21_000n, purposes: [] };
}

interface Row extends Content {
  readonly nonce: number;
  fees: Fees;
  earlier: Fees[];
  rebroadcast: number;
  touched: number;
}

/** A store in memory for one process. */
export function memoryNonceStore(clock: () => number = () => performance.now()): NonceStore {
  const rows = new Map<number, Row>();
  let next: number | null = null;

  const write = (nonce: number, content: Content, fees: Fees): void => {
    rows.set(nonce, { ...content, nonce, fees, earlier: [], rebroadcast: 0, touched: clock() });
  };
  const view = ({ rebroadcast: _, touched, ...row }: Row): Entry => ({ ...row, quietMs: clock() - touched });
  const above = (nonce: number): Row[] =>
    [...rows.values()].filter((r) => r.nonce >= nonce).sort((a, b) => a.nonce - b.nonce);

  return {
    async take(content, fees) {
      if (next === null) return null;
      const nonce = next++;
      write(nonce, content, fees);
      // Deleted, so that a process that runs for months does not keep every transaction.
      if (rows.size > 2_000) for (const old of [...rows.keys()].slice(0, 1_000)) rows.delete(old);
      return nonce;
    },
    async atLeast(nonce) {
      next = Math.max(next ?? 0, nonce);
    },
    async giveBack(nonce, self) {
      const row = rows.get(nonce);
      if (!row || row.rebroadcast > 0) return 'rebroadcast';
      rows.delete(nonce);
      if (next === nonce + 1) {
        next = nonce;
        return 'free';
      }
      write(nonce, emptyTo(self), row.fees);
      return 'gap';
    },
    async drop(nonce) {
      rows.delete(nonce);
    },
    async entry(nonce) {
      const row = rows.get(nonce);
      return row ? view(row) : null;
    },
    async from(nonce, limit) {
      return { next, entries: above(nonce).slice(0, limit).map(view) };
    },
    async withPurpose(purpose) {
      return [...rows.values()].filter((r) => r.purposes.includes(purpose)).map((r) => r.nonce);
    },
    async claim(nonce, quietMs) {
      const row = rows.get(nonce);
      if (!row || clock() - row.touched < quietMs) return false;
      row.rebroadcast++;
      row.touched = clock();
      return true;
    },
    async raise(nonce, from, to) {
      const row = rows.get(nonce);
      if (!row || row.fees.maxFeePerGas !== from.maxFeePerGas) return false;
      row.earlier.push(row.fees);
      row.fees = to;
      row.touched = clock();
      return true;
    },
    async fill(nonce, self, fees) {
      if (!rows.has(nonce) && next !== null && nonce < next) write(nonce, emptyTo(self), fees);
    },
    async lower(from, to) {
      if (next !== from || above(to).length > 0) return false;
      next = to;
      return true;
    },
    async forget(below, quietMs) {
      for (const row of rows.values())
        if (row.nonce < below && clock() - row.touched > quietMs) rows.delete(row.nonce);
    },
  };
}
