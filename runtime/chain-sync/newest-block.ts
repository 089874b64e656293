import type { Hex } from 'viem';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import type { ChainAccess } from '../services.ts';

const TIMEOUT_MS = 5_000;

/**
 * The hash of a chain's newest block, for whoever does something once for each. A chain that mines on demand mines none
 * for being asked: it would never be at rest.
 * @throws ReaderError, RpcRefusal, RpcSilence
 */
export async function newestBlock({
  readers,
  rpcUrl,
}: Pick<ChainAccess, 'readers' | 'rpcUrl'>): Promise<Hex> {
  if (readers.viem.maxHeadAgeSeconds !== null) return (await readers.viem.head()).hash;
  const block = await rpc<{ hash: Hex } | null>(
    rpcUrl,
    'eth_getBlockByNumber',
    ['latest', false],
    TIMEOUT_MS,
  );
  if (block === null) throw new Error('the node has no latest block');
  return block.hash;
}
