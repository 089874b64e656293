import type { Hex } from 'viem';
import { rpc } from './json-rpc.ts';

interface BlockName {
  readonly number: Hex;
  readonly hash: Hex;
}

/** What was found since the last look. */
export interface ForkSight {
  readonly head: bigint;
  /** True when a block seen before is no longer there, and on the first look, before which nobody watched. */
  readonly wentBack: boolean;
}

/**
 * Notices that a chain took blocks back, by one question a look: whether the newest block of the last look still
 * stands. Mines nothing. @throws RpcRefusal, RpcSilence
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
