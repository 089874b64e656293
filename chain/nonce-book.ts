import type { Address, Hex } from 'viem';

/** What a transaction does, apart from its place in the line and its price. */
export interface Content {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  readonly gas: bigint;
  /** What it is for, such as `settle:deal_…`; null for nothing worth asking about. */
  readonly purpose: string | null;
}

/** EIP-1559, wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** One nonce and everything that was or may be sent under it: the versions of a family differ in their fees alone. */
export interface Entry extends Content {
  readonly nonce: number;
  /** Of the version sent last. */
  readonly fees: Fees;
  readonly earlier: readonly Fees[];
  /** Milliseconds since it was taken, or last sent again. */
  readonly quietMs: number;
}

/**
 * Which nonce comes next for one key on one chain, and what was put under each: written before anything is signed, so
 * that a transaction outlives the process that took its nonce. Every step is atomic between all who share the book.
 */
export interface NonceBook {
  /** Takes the next nonce and writes the content under it. Null when the key is not in the book: `atLeast` enters it. */
  take(content: Content, fees: Fees): Promise<number | null>;
  /** Enters the key, or moves its next nonce up; never down. */
  atLeast(nonce: number): Promise<void>;
  /**
   * For a transaction that the node refused. `free`: its nonce is the next one again. `gap`: later ones were taken
   * meanwhile, and an empty transaction to `self` now stands in its place. `tended`: another process has sent it again.
   */
  giveBack(nonce: number, self: Address): Promise<'free' | 'gap' | 'tended'>;
  /** Forgets a transaction whose nonce a stranger to the book has used. */
  drop(nonce: number): Promise<void>;
  entry(nonce: number): Promise<Entry | null>;
  /** The next nonce, and what stands from `nonce` on, lowest first, at most `limit`. */
  from(nonce: number, limit: number): Promise<{ readonly next: number | null; readonly entries: Entry[] }>;
  /** The nonces under which something for this purpose stands, and whose it is. */
  withPurpose(purpose: string): Promise<number[]>;
  /** Claims an entry that was quiet for so long, to send it again: one caller gets true, and it is quiet no longer. */
  claim(nonce: number, quietMs: number): Promise<boolean>;
  /** Puts the present fees among the earlier ones. False when they were not `from` any more. */
  raise(nonce: number, from: Fees, to: Fees): Promise<boolean>;
  /** Puts an empty transaction to `self` under a nonce below the next that has none. */
  fill(nonce: number, self: Address, fees: Fees): Promise<void>;
  /** Lowers the next nonce, if it still is `from` and nothing stands at or above `to`. */
  lower(from: number, to: number): Promise<boolean>;
  /** Forgets what stands below a nonce and was last touched so long ago. */
  forget(below: number, quietMs: number): Promise<void>;
}

/** What fills a gap: nothing, sent to oneself. */
export function emptyTo(self: Address): Content {
  return { to: self, data: '0x', value: 0n, gas: 21_000n, purpose: null };
}

interface Row extends Content {
  readonly nonce: number;
  fees: Fees;
  earlier: Fees[];
  tended: number;
  touched: number;
}

/** A book for one process alone; it ends with it. */
export function memoryNonceBook(clock: () => number = () => performance.now()): NonceBook {
  const rows = new Map<number, Row>();
  let next: number | null = null;

  const write = (nonce: number, content: Content, fees: Fees): void => {
    rows.set(nonce, { ...content, nonce, fees, earlier: [], tended: 0, touched: clock() });
  };
  const view = ({ tended: _, touched, ...row }: Row): Entry => ({ ...row, quietMs: clock() - touched });
  const above = (nonce: number): Row[] =>
    [...rows.values()].filter((r) => r.nonce >= nonce).sort((a, b) => a.nonce - b.nonce);

  return {
    async take(content, fees) {
      if (next === null) return null;
      const nonce = next++;
      write(nonce, content, fees);
      // A process that sends for months keeps no months of transactions.
      if (rows.size > 2_000) for (const old of [...rows.keys()].slice(0, 1_000)) rows.delete(old);
      return nonce;
    },
    async atLeast(nonce) {
      next = Math.max(next ?? 0, nonce);
    },
    async giveBack(nonce, self) {
      const row = rows.get(nonce);
      if (!row || row.tended > 0) return 'tended';
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
      return [...rows.values()].filter((r) => r.purpose === purpose).map((r) => r.nonce);
    },
    async claim(nonce, quietMs) {
      const row = rows.get(nonce);
      if (!row || clock() - row.touched < quietMs) return false;
      row.tended++;
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
