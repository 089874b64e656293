import type { Address, Hex } from 'viem';
import { RpcRefusal, rpc } from '../rpc/json-rpc.ts';

/** A transaction as it would be sent: who pays the gas, at which price, and within which limit. */
export interface Sending {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  /** In wei per gas. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** JSON-RPC error codes of a node that does not know or does not offer a method. */
const NO_METHOD = new Set([-32601, -32004]);

/** How nodes say that the offered fee is below the base fee, which says nothing about the transaction itself. */
const FEE_TOO_LOW = /base ?fee/i;

/**
 * Simulates whether transactions would succeed one after another in the next block, sent exactly as planned. So a
 * wallet that checks the sender, the gas price or the gas limit sees the values that it will see on chain.
 * @returns false also when the node says that the gas is not enough
 * @throws RpcSilence when the node does not answer
 */
export async function wouldSucceed(rpcUrl: string, sendings: readonly Sending[]): Promise<boolean> {
  try {
    if (sendings.length > 1) return await inOrder(rpcUrl, sendings);
    await alone(rpcUrl, request(sendings[0]!));
    return true;
  } catch (error) {
    if (error instanceof RpcRefusal) return false;
    throw error;
  }
}

async function alone(rpcUrl: string, asked: ReturnType<typeof request>): Promise<void> {
  try {
    await rpc(rpcUrl, 'eth_call', [asked, 'pending']);
  } catch (error) {
    if (!(error instanceof RpcRefusal) || !FEE_TOO_LOW.test(error.message)) throw error;
    // The fee is below the base fee and will be raised before sending, so the simulation leaves it out.
    const { maxFeePerGas, maxPriorityFeePerGas, ...unpriced } = asked;
    await rpc(rpcUrl, 'eth_call', [unpriced, 'pending']);
  }
}

async function inOrder(rpcUrl: string, sendings: readonly Sending[]): Promise<boolean> {
  const calls = sendings.map(request);
  try {
    const blocks = await rpc<readonly { readonly calls: readonly { readonly status: Hex }[] }[]>(
      rpcUrl,
      'eth_simulateV1',
      [{ blockStateCalls: [{ calls }], validation: false }, 'latest'],
    );
    const done = blocks[0]?.calls ?? [];
    return done.length === calls.length && done.every(({ status }) => BigInt(status) === 1n);
  } catch (error) {
    if (!(error instanceof RpcRefusal) || !NO_METHOD.has(error.code)) throw error;
    // An older node can only simulate the first transaction. The others are simulated after the first has happened.
    return await wouldSucceed(rpcUrl, sendings.slice(0, 1));
  }
}

function request({ from, to, data, gas, maxFeePerGas, maxPriorityFeePerGas }: Sending) {
  const hex = (n: bigint): Hex => `0x${n.toString(16)}`;
  return {
    ...{ from, to, data },
    gas: hex(gas),
    maxFeePerGas: hex(maxFeePerGas),
    maxPriorityFeePerGas: hex(maxPriorityFeePerGas),
  };
}
