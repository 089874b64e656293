import { type Address, formatEther, type Hex, keccak256 } from 'viem';
import { RpcRefusal } from '../../rpc/json-rpc.ts';
import { CREATE2_FACTORY } from '../create2.ts';
import type { Node } from './node.ts';
import type { Payer } from './payer.ts';

/**
 * The deterministic deployment proxy (https://github.com/Arachnid/deterministic-deployment-proxy). One transaction from
 * before EIP-155, signed without anybody's key, puts the same code at the same address on every chain that accepts it.
 */
export const CREATE2_FACTORY_ORIGIN = {
  codeHash: '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
  signer: '0x3fAB184622Dc19b6109349B94811493BF2a45362',
  gas: 100_000n,
  gasPrice: 100_000_000_000n,
  transaction:
    '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222',
} as const satisfies {
  codeHash: Hex;
  signer: Address;
  gas: bigint;
  gasPrice: bigint;
  transaction: Hex;
};

const { codeHash, signer, gas, gasPrice, transaction } = CREATE2_FACTORY_ORIGIN;
/** The cost of the pre-signed transaction, in wei. */
const PRICE = gas * gasPrice;
const PLAIN_TRANSFER_GAS = 30_000n;
const PATIENCE_MS = 180_000;
const LOOK_MS = 500;

export interface FactoryState {
  readonly stands: boolean;
  /** How much its signer lacks to pay for it, in wei. */
  readonly lacks: bigint;
}

/** @throws Error that says why the factory cannot be placed on this chain, and what must be done */
export async function inspectFactory(node: Node): Promise<FactoryState> {
  const code = await node.code(CREATE2_FACTORY);
  if (keccak256(code) === codeHash) return { stands: true, lacks: 0n };
  if (code !== '0x') {
    throw new Error(
      `at ${CREATE2_FACTORY} stands other code than the CREATE2 factory's: no address on chain ${node.chainId} would be what it is elsewhere, and nothing is deployed there`,
    );
  }
  const [used, has] = await Promise.all([
    node.ask<Hex>('eth_getTransactionCount', [signer, 'latest']),
    node.ask<Hex>('eth_getBalance', [signer, 'latest']),
  ]);
  if (Number(used) !== 0) {
    throw new Error(
      `chain ${node.chainId} has no CREATE2 factory, and its one pre-signed transaction was spent without making it: only the chain's operator can put its code at ${CREATE2_FACTORY}`,
    );
  }
  const lacks = PRICE - BigInt(has);
  return { stands: false, lacks: lacks > 0n ? lacks : 0n };
}

/**
 * Funds the signer and sends the pre-signed transaction. It may be run again at any point.
 * @returns the payer's cost in wei, including gas
 * @throws Error that says exactly what must be done when the chain does not accept it
 */
export async function placeFactory(node: Node, payer: Payer, { lacks }: FactoryState): Promise<bigint> {
  const { baseFeePerGas } = await node.ask<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', [
    'latest',
    false,
  ]);
  const cannot = (why: string) =>
    new Error(
      `chain ${node.chainId} has no CREATE2 factory and ${why}. To go on, have this transaction mined by a node that takes it (${signer} needs ${formatEther(PRICE)} coin first), or ask the chain's operator for the factory at ${CREATE2_FACTORY}: ${transaction}`,
    );
  if (BigInt(baseFeePerGas ?? 0) > gasPrice) throw cannot('the chain asks more than the 100 gwei it offers');
  let spent = 0n;
  if (lacks > 0n) {
    const paid = await payer.pay(
      { name: 'coin for the CREATE2 factory', to: signer, data: '0x', value: lacks },
      PLAIN_TRANSFER_GAS,
    );
    spent += paid.cost + lacks;
  }
  try {
    await node.ask('eth_sendRawTransaction', [transaction]);
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    if (!/already known|already imported|nonce too low/i.test(error.message)) {
      throw cannot(`its node refuses the pre-signed transaction that makes it (${error.message})`);
    }
  }
  const until = performance.now() + PATIENCE_MS;
  while (keccak256(await node.code(CREATE2_FACTORY)) !== codeHash) {
    if (performance.now() > until) throw cannot('the pre-signed transaction that makes it was not mined');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return spent;
}
