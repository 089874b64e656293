import type { Address, Hex } from 'viem';
import { ChainError } from '../rpc/chain-error.ts';
import { feesAt, raisedFees } from './fees.ts';
import { type Entry, emptyTo, type Fees, type NonceStore } from './nonce-store.ts';
import type { Ask, submitter } from './submit.ts';

/** What one rebroadcast did, by nonce. */
export interface Rebroadcast {
  /** How many transactions the chain has not mined yet. */
  readonly pending: number;
  /** Sent again, because the node did not have them. */
  readonly sent: readonly number[];
  /** Replaced by a version with higher fees. */
  readonly replaced: readonly number[];
  /** Waiting for lower fees on the chain, because a replacement would exceed the cap. */
  readonly capped: readonly number[];
}

interface RebroadcastDeps extends Pick<ReturnType<typeof submitter>, 'sign' | 'handOver'> {
  readonly address: Address;
  readonly ask: Ask;
  readonly book: NonceStore;
  readonly usual: Fees;
  readonly feeCap: bigint;
  readonly resendMs: number;
  readonly stuckMs: number;
}

/** Entries checked in one run. */
const LIMIT = 200;
/** How long an entry below the chain's nonce is kept, because a reorg may remove its transaction. */
const KEEP_MS = 3_600_000;
const FORGET_EVERY = 100;

export function rebroadcaster(deps: RebroadcastDeps) {
  const { address, ask, book, usual, feeCap, resendMs, stuckMs } = deps;
  let rounds = 0;

  async function count(tag: 'latest' | 'pending' | Hex): Promise<number> {
    return Number(await ask<Hex>('eth_getTransactionCount', [address, tag]));
  }

  async function baseFee(): Promise<bigint> {
    const block = await ask<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false]);
    return BigInt(block.baseFeePerGas ?? 0);
  }

  /** Sends an entry again, with higher fees where the node refuses it. @returns false when that would pass the fee cap */
  async function sendAgain(entry: Entry, base: bigint): Promise<boolean> {
    let fees = entry.fees;
    if (fees.maxFeePerGas < base + fees.maxPriorityFeePerGas) {
      const raised = raisedFees(fees, base, feeCap);
      if (raised === null) return false;
      if (await book.raise(entry.nonce, fees, raised)) fees = raised;
    }
    await deps.handOver(await deps.sign(entry.nonce, entry, fees));
    return true;
  }

  async function replace(entry: Entry, base: bigint): Promise<boolean> {
    const raised = raisedFees(entry.fees, base, feeCap);
    if (raised === null) return false;
    // If this process ends here, a later rebroadcast finds that the node does not have this version and sends it.
    if (await book.raise(entry.nonce, entry.fees, raised)) {
      await deps.handOver(await deps.sign(entry.nonce, entry, raised));
    }
    return true;
  }

  async function round(): Promise<Rebroadcast> {
    const [mined, held] = await Promise.all([count('latest'), count('pending')]);
    const { next, entries } = await book.from(mined, LIMIT);
    const done = {
      pending: entries.length,
      ...{ sent: [] as number[], replaced: [] as number[], capped: [] as number[] },
    };
    if (next === null) return done;
    if (rounds++ % FORGET_EVERY === 0) await book.forget(mined, KEEP_MS);
    if (entries.length === 0) {
      // A reorg went back before the oldest entry of the store, or nothing is pending.
      if (held < next) await book.lower(next, held);
      return done;
    }
    const base = await baseFee();
    const at = new Map(entries.map((entry) => [entry.nonce, entry]));
    const last = entries.at(-1)!.nonce;
    const look = async (nonce: number): Promise<void> => {
      const entry = at.get(nonce);
      if (entry === undefined) {
        // The node already has a transaction of somebody else under this nonce.
        if (nonce < held) return;
        await book.fill(nonce, address, feesAt(base, usual));
        const empty = {
          ...emptyTo(address),
          nonce,
          fees: feesAt(base, usual),
          earlier: [],
          quietMs: resendMs,
        };
        if ((await sendAgain(empty, base)) === true) done.sent.push(nonce);
        return;
      }
      const underpriced = entry.fees.maxFeePerGas < base + entry.fees.maxPriorityFeePerGas;
      if (nonce >= held) {
        if (!(await book.claim(nonce, resendMs))) return;
        (await sendAgain(entry, base)) ? done.sent.push(nonce) : done.capped.push(nonce);
      } else if (nonce === mined || underpriced) {
        if (!(await book.claim(nonce, stuckMs))) return;
        (await replace(entry, base)) ? done.replaced.push(nonce) : done.capped.push(nonce);
      }
    };
    const failures: unknown[] = [];
    for (let nonce = mined; nonce <= last; nonce++) {
      // An entry that cannot be signed or sent does not keep the others from being rebroadcast.
      await look(nonce).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    return done;
  }

  return {
    count,
    baseFee,
    async rebroadcastPending(): Promise<Rebroadcast> {
      try {
        return await round();
      } catch (cause) {
        throw new ChainError('down', 'what is under way could not be looked after', { cause });
      }
    },
  };
}
