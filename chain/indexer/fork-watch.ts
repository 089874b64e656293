import type { Hex } from 'viem';
import { rpc } from '../rpc/json-rpc.ts';

interface BlockName {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
}

/** What was seen since the last check. */
export interface ForkSight {
  readonly head: bigint;
  /** True when the last seen block is gone, and on the first check, because nobody watched before. */
  readonly wentBack: boolean;
}

/**
 * Notices reorgs with a request or two a check: whether the newest block of the last check is still there. It mines nothing.
 * @throws RpcRefusal, RpcSilence
 */
export function forkWatch(rpcUrl: string, timeoutMs = 5_000): () => Promise<ForkSight> {
  let seen: BlockName | null = null;
  const block = (tag: string) =>
    rpc<BlockName | null>(rpcUrl, 'eth_getBlockByNumber', [tag, false], timeoutMs);
  return async () => {
    const latest = await block('latest');
    if (latest === null) throw new Error('the node has no latest block');
    // Where the newest block is the one that was seen, or follows it, nothing lies between them.
    const follows = seen !== null && (latest.hash === seen.hash || latest.parentHash === seen.hash);
    const wentBack = !follows && (seen === null || (await block(seen.number))?.hash !== seen.hash);
    seen = latest;
    return { head: BigInt(latest.number), wentBack };
  };
}
