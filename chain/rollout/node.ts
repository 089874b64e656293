import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
} from 'viem';
import { RpcRefusal, RpcSilence, rpc } from '../json-rpc.ts';

type View = 'view' | 'pure';

/** Somebody else's node. What it does not say is said in one sentence, and never with its whole URL: that may hold a key. */
export interface Node {
  readonly rpcUrl: string;
  readonly host: string;
  readonly chainId: number;
  /** Asked again when there is no answer: for reading only. @throws RpcRefusal, and Error when the node stays silent */
  ask<T>(method: string, params?: readonly unknown[]): Promise<T>;
  code(address: Address): Promise<Hex>;
  read<const A extends Abi, N extends ContractFunctionName<A, View>>(
    address: Address,
    abi: A,
    functionName: N,
    args?: ContractFunctionArgs<A, View, N>,
  ): Promise<ContractFunctionReturnType<A, View, N>>;
}

const ATTEMPTS = 4;
const PAUSE_MS = 250;

/** @throws Error, one sentence: the node does not answer, or answers for another chain */
export async function openNode(rpcUrl: string, chainId: number): Promise<Node> {
  const { host } = new URL(rpcUrl);
  const ask = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await rpc<T>(rpcUrl, method, params);
      } catch (error) {
        if (!(error instanceof RpcSilence)) throw error;
        if (attempt === ATTEMPTS) throw silent(host, error);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** attempt));
      }
    }
  };
  const said = Number(await ask<Hex>('eth_chainId'));
  if (said !== chainId) {
    throw new Error(
      `the node at ${host} answers for chain ${said}, not ${chainId}: correct --rpc or --chain`,
    );
  }
  return {
    rpcUrl,
    host,
    chainId,
    ask,
    code: (address) => ask<Hex>('eth_getCode', [address, 'latest']),
    async read(address, abi, functionName, args) {
      // The interface ties the names to the types; inside, viem's generics cannot be narrowed further.
      const call = {
        abi: abi as Abi,
        functionName: functionName as string,
        args: args as readonly unknown[],
      };
      const data = await ask<Hex>('eth_call', [{ to: address, data: encodeFunctionData(call) }, 'latest']);
      return decodeFunctionResult({ ...call, data }) as never;
    },
  };
}

/** What a run ends with when the node falls silent: nothing that stands is lost. */
export function silent(host: string, cause: Error): Error {
  return new Error(
    `the node at ${host} does not answer (${cause.message}): run the same command again when it does, it goes on where it ended`,
    { cause },
  );
}

/** PUSH0, TSTORE, TLOAD and MCOPY (EIP-3855, EIP-1153, EIP-5656), which the contracts use. */
const CANCUN_PROBE = '0x5f5f5d5f5c505f5f5f5e00';

/** @throws Error when the chain runs an EVM older than Cancun */
export async function requireCancun(node: Node): Promise<void> {
  try {
    await node.ask('eth_call', [{ data: CANCUN_PROBE }, 'latest']);
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    throw new Error(
      `chain ${node.chainId} runs an EVM older than Cancun (the node said: ${error.message}): the contracts need transient storage and cannot stand there`,
      { cause: error },
    );
  }
}
