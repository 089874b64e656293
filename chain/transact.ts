import { type Abi, type Address, encodeFunctionData, type Hex, type TransactionReceipt } from 'viem';
import { ChainError } from './chain-error.ts';
import { RpcRefusal, RpcSilence } from './json-rpc.ts';
import { decodeRevert, describeRevert, revertData } from './revert.ts';
import type { Signer } from './signer.ts';

export interface ContractCall {
  readonly to: Address;
  /** Carries the custom errors by which a refusal is named. */
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
  readonly value?: bigint;
  readonly gas: bigint;
  /** What it is for, such as `settle:deal_…`: `Signer.underWay` asks by it. */
  readonly purpose?: string;
}

/**
 * Sends a contract call and waits until it succeeded.
 * @param sent told the hash once it is on its way
 * @throws ChainError reverted with the named custom error, down when nothing was sent, unknown when nobody can say yet
 */
export async function transact(
  signer: Signer,
  call: ContractCall,
  sent: (hash: Hex) => void = () => {},
): Promise<TransactionReceipt> {
  const hash = await signer.send({ ...call, data: encode(call) });
  sent(hash);
  const receipt = await signer.receipt(hash);
  if (receipt.status === 'success') return receipt;
  throw await whyReverted(signer, call, hash, receipt.blockNumber);
}

/** What the call would return if it were sent now. @throws ChainError reverted, down, slow */
export async function simulate(signer: Signer, call: Omit<ContractCall, 'gas'>): Promise<Hex> {
  try {
    return await signer.call({ ...call, data: encode(call) });
  } catch (error) {
    throw asChainError(error, call.abi);
  }
}

/** Asks the same again on top of the block it failed in; the reason may be gone by then, the refusal is not. */
async function whyReverted(
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
        errorName === undefined ? { hash } : { errorName, args, hash },
      );
    }
  }
  return new ChainError('reverted', `${call.functionName} was refused on chain`, { hash });
}

function encode(call: Omit<ContractCall, 'gas'>): Hex {
  return encodeFunctionData({ abi: call.abi, functionName: call.functionName, args: call.args });
}

function asChainError(error: unknown, abi: Abi): ChainError {
  if (error instanceof RpcRefusal) {
    const data = revertData(error.data);
    if (data === undefined && !/revert/i.test(error.message)) {
      return new ChainError('down', `the node refused: ${error.message}`, { cause: error });
    }
    const revert = decodeRevert(data, abi);
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
