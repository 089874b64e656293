import { attempts } from '../attempts.ts';
import { RpcRefusal } from '../json-rpc.ts';
import { type ChainReader, ReaderError, type ReaderOptions } from '../reader.ts';
import { isUnknownMethod } from '../simulation.ts';
import { withStateProofs } from './proof/with-state-proofs.ts';
import { BoundedProvider } from './provider.ts';
import { classify, ethersReader } from './reader.ts';

/** As `ethersReader`, with the state of accounts proven; its proofs go in the batches of its other questions. */
export function provenEthersReader(options: ReaderOptions): ChainReader {
  const { rpcUrl, chainId, timeoutMs = 5_000 } = options;
  const provider = new BoundedProvider(rpcUrl, chainId, timeoutMs);
  const attempt = attempts(options, (error) => notOffered(error) ?? classify(error));
  return withStateProofs(ethersReader(options, provider), (method, params) =>
    attempt(() => provider.send(method, [...params])),
  );
}

function notOffered(error: unknown): ReaderError | null {
  if (!(error instanceof RpcRefusal) || !isUnknownMethod(error)) return null;
  const said = 'the node proves no state (eth_getProof)';
  return new ReaderError('down', said, { cause: error, lasting: true });
}
