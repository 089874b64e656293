import type { Hex } from 'viem';
import { rpc } from '../rpc/json-rpc.ts';

interface BlockName {
  readonly number: Hex;
  readonly hash: Hex;
}

/** What was seen since the last check. */
export interface ForkSight {
  readonly head: bigint;
  /** True when the last seen block is gone, and on the first check, because nobody watched before. */
  readonly wentBack: boolean;
}

/**
 * Notices reorgs with one request a check: whether the newest block of the last check is still there. It mines nothing.
 * @throws RpcRefusal, RpcSilence
 */
export function forkWatch(rpcUrl: string, timeoutMs = 5_000): () => Promise<ForkSight> {
  let seen: BlockName | null = null;
  const block = (tag: string) =>
    rpc<BlockName | null>(rpcUrl, 'eth_getBlockByNumber', [tag, false], timeoutMs);
  return async () => {
    const still = seen === null ? null : await block(seen.number);
    const latest = await block('latest');
    if (latest === null) throw new Error('the node has no latest block');
    const wentBack = seen === null || still?.hash !== seen.hash;
    seen = { number: latest.number, hash: latest.hash };
    return { head: BigInt(latest.number), wentBack };
  };
}
