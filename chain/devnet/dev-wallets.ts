import { type Address, type Hex, parseEther, parseEventLogs, toHex } from 'viem';
import { demoAssetsAbi } from '../abi/demo-assets.ts';
import { demoNamesAbi } from '../abi/demo-names.ts';
import { testUsdcAbi } from '../abi/test-usdc.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { ChainError } from '../rpc/chain-error.ts';
import { RpcRefusal, rpc } from '../rpc/json-rpc.ts';
import { createSigner } from '../tx/signer.ts';
import { transact } from '../tx/transact.ts';

/** A local chain, and the key that may mint its test money. */
export interface DevChain {
  readonly rpcUrl: string;
  readonly deployment: Deployment;
  readonly operatorPrivateKey: Hex;
}

const GAS_MONEY = parseEther('10');

/** Raises an address's ether to `wei` if it has less. @throws ChainError down on any chain that is not local */
export async function fundGas(rpcUrl: string, address: Address, wei = GAS_MONEY): Promise<void> {
  try {
    const has = BigInt(await rpc<Hex>(rpcUrl, 'eth_getBalance', [address, 'latest']));
    if (has < wei) await rpc(rpcUrl, 'anvil_setBalance', [address, toHex(wei)]);
  } catch (cause) {
    const why = cause instanceof RpcRefusal ? 'this is not a local chain' : 'the chain does not answer';
    throw new ChainError('down', `${address} was not funded: ${why}`, { cause });
  }
}

/** Gives an address gas, and `amount` micro-dollars of test USDC. @throws ChainError */
export async function fundWallet(chain: DevChain, address: Address, amount: bigint): Promise<void> {
  await fundGas(chain.rpcUrl, address);
  if (amount === 0n) return;
  await transact(operatorOf(chain), {
    to: chain.deployment.usdc,
    abi: testUsdcAbi,
    functionName: 'mint',
    args: [address, amount],
    gas: 150_000n,
  });
}

/** Mints one demo asset. @returns its token id @throws ChainError */
export async function mintDemoAsset(chain: DevChain, owner: Address): Promise<bigint> {
  const { logs, transactionHash: hash } = await transact(operatorOf(chain), {
    to: chain.deployment.assets,
    abi: demoAssetsAbi,
    functionName: 'mint',
    args: [owner],
    gas: 200_000n,
  });
  const [transfer] = parseEventLogs({ abi: demoAssetsAbi, eventName: 'Transfer', logs });
  if (!transfer) throw new ChainError('unknown', 'the mint left no event', { hash });
  return transfer.args.tokenId;
}

/**
 * Registers a name with one of the demo providers. @param labels its parts, such as `alice` and `x` @returns its token id
 * @throws ChainError where somebody has it, or the provider does not give such names out
 */
export async function registerDemoName(
  chain: DevChain,
  provider: 'a' | 'b',
  labels: readonly string[],
  owner: Address,
): Promise<bigint> {
  const { namesA, namesB } = chain.deployment;
  const { logs, transactionHash: hash } = await transact(operatorOf(chain), {
    to: provider === 'a' ? namesA : namesB,
    abi: demoNamesAbi,
    functionName: 'register',
    args: [labels, owner],
    gas: 300_000n,
  });
  const [transfer] = parseEventLogs({ abi: demoNamesAbi, eventName: 'Transfer', logs });
  if (!transfer) throw new ChainError('unknown', 'the registration left no event', { hash });
  return transfer.args.tokenId;
}

function operatorOf({ rpcUrl, deployment, operatorPrivateKey }: DevChain) {
  return createSigner({ rpcUrl, chainId: deployment.chainId, privateKey: operatorPrivateKey });
}
