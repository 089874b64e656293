import type { Address, Hex } from 'viem';
import { ChainError } from './chain-error.ts';
import { feesAt, raisedFees } from './fees.ts';
import { type Entry, emptyTo, type Fees, type NonceBook } from './nonce-book.ts';
import type { Ask, submitter } from './submit.ts';

/** What one round of care did, by nonce. */
export interface Tended {
  /** Sent again: the node did not have them. */
  readonly sent: readonly number[];
  /** Replaced by a dearer version. */
  readonly replaced: readonly number[];
  /** Waiting for the chain to become cheaper: a dearer version would pass the cap. */
  readonly capped: readonly number[];
}

interface TendDeps extends Pick<ReturnType<typeof submitter>, 'sign' | 'handOver'> {
  readonly address: Address;
  readonly ask: Ask;
  readonly book: NonceBook;
  readonly usual: Fees;
  readonly feeCap: bigint;
  readonly resendMs: number;
  readonly stuckMs: number;
}

/** Entries looked at in one round. */
const LIMIT = 200;
/** Kept so long behind the chain's nonce, because a chain may go back. */
const KEEP_MS = 3_600_000;
const FORGET_EVERY = 100;

export function tender(deps: TendDeps) {
  const { address, ask, book, usual, feeCap, resendMs, stuckMs } = deps;
  let rounds = 0;

  async function count(tag: 'latest' | 'pending'): Promise<number> {
    return Number(await ask<Hex>('eth_getTransactionCount', [address, tag]));
  }

  async function baseFee(): Promise<bigint> {
    const block = await ask<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false]);
    return BigInt(block.baseFeePerGas ?? 0);
  }

  /** Sends an entry as it stands, or dearer where the chain would not take it so. @returns false when it may not be */
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
    // Should this process end here, the dearer version is sent when it is found that the node does not have it.
    if (await book.raise(entry.nonce, entry.fees, raised)) {
      await deps.handOver(await deps.sign(entry.nonce, entry, raised));
    }
    return true;
  }

  async function round(): Promise<Tended> {
    const [mined, held] = await Promise.all([count('latest'), count('pending')]);
    const { next, entries } = await book.from(mined, LIMIT);
    const done = { sent: [] as number[], replaced: [] as number[], capped: [] as number[] };
    if (next === null) return done;
    if (rounds++ % FORGET_EVERY === 0) await book.forget(mined, KEEP_MS);
    if (entries.length === 0) {
      // The chain has gone back behind what the book remembers, or nothing is under way.
      if (held < next) await book.lower(next, held);
      return done;
    }
    const base = await baseFee();
    const at = new Map(entries.map((entry) => [entry.nonce, entry]));
    const last = entries.at(-1)!.nonce;
    for (let nonce = mined; nonce <= last; nonce++) {
      let entry = at.get(nonce);
      if (entry === undefined) {
        // Below `held` it is somebody else's, and on its way.
        if (nonce < held) continue;
        await book.fill(nonce, address, feesAt(base, usual));
        entry = { ...emptyTo(address), nonce, fees: feesAt(base, usual), earlier: [], quietMs: resendMs };
        if ((await sendAgain(entry, base)) === true) done.sent.push(nonce);
        continue;
      }
      const underpriced = entry.fees.maxFeePerGas < base + entry.fees.maxPriorityFeePerGas;
      if (nonce >= held) {
        if (!(await book.claim(nonce, resendMs))) continue;
        (await sendAgain(entry, base)) ? done.sent.push(nonce) : done.capped.push(nonce);
      } else if (nonce === mined || underpriced) {
        if (!(await book.claim(nonce, stuckMs))) continue;
        (await replace(entry, base)) ? done.replaced.push(nonce) : done.capped.push(nonce);
      }
    }
    return done;
  }

  return {
    count,
    baseFee,
    async tend(): Promise<Tended> {
      try {
        return await round();
      } catch (cause) {
        throw new ChainError('down', 'what is under way could not be looked after', { cause });
      }
    },
  };
}
