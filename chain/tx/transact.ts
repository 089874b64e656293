import { type Abi, type Address, encodeFunctionData, type Hex, type TransactionReceipt } from 'viem';
import { callFaultOf } from '../rpc/call-fault.ts';
import { ChainError } from '../rpc/chain-error.ts';
import { RpcRefusal, RpcSilence } from '../rpc/json-rpc.ts';
import { decodeRevert, describeRevert, revertData } from '../rpc/revert.ts';
import type { Signer } from './signer.ts';

export interface ContractCall {
  readonly to: Address;
  /** Must contain the custom errors by which a refusal is decoded. */
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
  readonly value?: bigint;
  readonly gas: bigint;
  /** What it is for, such as `settle:deal_…`. `Signer.underWay` looks it up by each of these. */
  readonly purposes?: readonly string[];
}

/**
 * Sends a contract call and waits until it has succeeded.
 * @param sent called with the hash once the transaction is on its way
 * @throws ChainError reverted with the named custom error, down when nothing was sent, unknown while the outcome is
 *   open
 */
export async function transact(
  signer: Signer,
  call: ContractCall,
  sent: (hash: Hex) => void = () => {},
): Promise<TransactionReceipt> {
  const hash = await sendCall(signer, call);
  sent(hash);
  const receipt = await signer.receipt(hash);
  if (receipt.status === 'success') return receipt;
  throw await whyReverted(signer, call, hash, receipt.blockNumber);
}

/** Sends a contract call. @returns its hash, which means that it is pending @throws ChainError down, unknown */
export function sendCall(signer: Signer, call: ContractCall): Promise<Hex> {
  return signer.send({ ...call, data: encode(call) });
}

/** Simulates the call at the next block, within its gas limit where it has one. @throws ChainError reverted, down, slow */
export async function simulate(
  signer: Signer,
  call: Omit<ContractCall, 'gas'> & Partial<Pick<ContractCall, 'gas'>>,
): Promise<Hex> {
  try {
    return await signer.call({ ...call, data: encode(call) });
  } catch (error) {
    throw asChainError(error, call.abi);
  }
}

/**
 * Simulates a failed call again after the block in which it failed. The reason may be gone by then; it failed all the
 * same.
 */
export async function whyReverted(
  signer: Signer,
  call: ContractCall,
  hash: Hex,
  block: bigint,
): Promise<ChainError> {
  try {
    await signer.call({ ...call, data: encode(call) }, block);
  } catch (error) {
    const found = asChainError(error, call.abi);
    if (found.kind === 'reverted') {
      const { message, errorName, args } = found;
      return new ChainError(
        'reverted',
        message,
        errorName === undefined ? { hash, block } : { errorName, args, hash, block },
      );
    }
  }
  return new ChainError('reverted', `${call.functionName} was refused on chain`, { hash, block });
}

function encode(call: Omit<ContractCall, 'gas'>): Hex {
  return encodeFunctionData({ abi: call.abi, functionName: call.functionName, args: call.args });
}

/** Turns a node's refusal of a call into a ChainError. */
export function asChainError(error: unknown, abi: Abi): ChainError {
  if (error instanceof RpcRefusal) {
    if (callFaultOf(error) !== 'contract')
      return new ChainError('down', `the node refused: ${error.message}`, { cause: error });
    const revert = decodeRevert(revertData(error.data), abi);
    const { errorName, args } = revert;
    return new ChainError(
      'reverted',
      describeRevert(revert),
      errorName === undefined ? {} : { errorName, args },
    );
  }
  if (error instanceof RpcSilence) {
    return new ChainError(error.timedOut ? 'slow' : 'down', error.message, { cause: error });
  }
  throw error;
}
