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
import { RpcRefusal, RpcSilence, rpc } from '../../rpc/json-rpc.ts';

type View = 'view' | 'pure';

/**
 * Somebody else's node. Its failures become errors of one sentence, which never contain the whole URL, because it may
 * hold a key.
 */
export interface Node {
  readonly rpcUrl: string;
  readonly host: string;
  readonly chainId: number;
  /** Retried when there is no answer, so only for reads. @throws RpcRefusal, and Error when the node does not answer */
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

/** @throws Error with one sentence when the node does not answer, or is on another chain */
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
    async read<const A extends Abi, N extends ContractFunctionName<A, View>>(
      address: Address,
      abi: A,
      functionName: N,
      args?: ContractFunctionArgs<A, View, N>,
    ) {
      // The interface relates the names to the types; inside, viem's generics cannot be narrowed further.
      const call = {
        abi: abi as Abi,
        functionName: functionName as string,
        args: args as readonly unknown[],
      };
      const data = await ask<Hex>('eth_call', [{ to: address, data: encodeFunctionData(call) }, 'latest']);
      return decodeFunctionResult({ ...call, data }) as ContractFunctionReturnType<A, View, N>;
    },
  };
}

/** The time of the newest block, in unix seconds. */
export async function headTime(node: Node): Promise<number> {
  const head = await node.ask<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
  return Number(head.timestamp);
}

/** A time of a block as people read it. */
export function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** The error with which a run ends when the node stops answering; what is deployed is not lost. */
export function silent(host: string, cause: Error): Error {
  return new Error(
    `the node at ${host} does not answer (${cause.message}): run the same command again when it does, it goes on where it ended`,
    { cause },
  );
}

/** Code that uses PUSH0, TSTORE, TLOAD and MCOPY (EIP-3855, EIP-1153, EIP-5656), as the contracts do. */
const CANCUN_PROBE = '0x5f5f5d5f5c505f5f5f5e00';

/** @throws Error when the chain's EVM is older than Cancun */
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
