import { ChainError } from '../../../chain/rpc/chain-error.ts';
import { RpcSilence } from '../../../chain/rpc/json-rpc.ts';
import { ReaderError } from '../../../chain/rpc/reader.ts';

/** Whether the chain node may have failed, and not the item that it was asked about. */
export function mayBeTheNode(error: unknown): boolean {
  for (let e = error, depth = 0; e instanceof Error && depth < 8; e = e.cause, depth++) {
    if (e instanceof ReaderError || e instanceof ChainError) return e.kind !== 'reverted';
    if (e instanceof RpcSilence) return true;
  }
  return false;
}
