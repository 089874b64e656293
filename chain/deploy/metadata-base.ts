import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { RpcRefusal } from '../rpc/json-rpc.ts';
import type { Signer } from '../tx/signer.ts';
import { simulate, transact } from '../tx/transact.ts';

/** What the collections have in common whose metadata this service serves, which are agents and certificates. */
const abi = parseAbi(['function baseURI() view returns (string)', 'function setBaseURI(string uri)']);

/**
 * Sets where a collection's metadata is served, unless it is set already.
 * @param baseUri ends in a slash, because the token's id follows
 * @returns false for a collection of an earlier build, which has a URI for each token and no base
 * @throws ChainError, RpcSilence
 */
export async function placeMetadata(signer: Signer, collection: Address, baseUri: string): Promise<boolean> {
  let known: Hex;
  try {
    known = await signer.call({
      to: collection,
      data: encodeFunctionData({ abi, functionName: 'baseURI' }),
    });
  } catch (error) {
    if (error instanceof RpcRefusal) return false;
    throw error;
  }
  if (decodeFunctionResult({ abi, functionName: 'baseURI', data: known }) === baseUri) return true;
  const gas = 150_000n + 1_500n * BigInt(baseUri.length);
  const call = { to: collection, abi, functionName: 'setBaseURI', args: [baseUri] };
  // Simulated first, because a call that will be refused should not cost gas each time it is tried.
  await simulate(signer, call);
  await transact(signer, { ...call, gas });
  return true;
}
