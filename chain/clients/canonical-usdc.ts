import { type Address, type Hex, toHex } from 'viem';
import { rpc } from '../rpc/json-rpc.ts';

/** USDC on Base Sepolia (eip155:84532), the only token there that a standard x402 client pays with by default. */
export const BASE_SEPOLIA_USDC: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

/** The storage slots of the ERC20's name and symbol. */
const NAME_SLOTS = [3, 4];

/**
 * Copies a deployed test token to the address of USDC on Base Sepolia, so that clients that know only that address can
 * pay on the local chain. Code and name are copied, balances are not. For local chains only; running it again changes
 * nothing.
 */
export async function placeCanonicalUsdc(rpcUrl: string, deployed: Address): Promise<Address> {
  const there = await rpc<Hex>(rpcUrl, 'eth_getCode', [BASE_SEPOLIA_USDC, 'latest']);
  if (there !== '0x') return BASE_SEPOLIA_USDC;
  const code = await rpc<Hex>(rpcUrl, 'eth_getCode', [deployed, 'latest']);
  for (const slot of NAME_SLOTS) {
    const at = toHex(slot, { size: 32 });
    const value = await rpc<Hex>(rpcUrl, 'eth_getStorageAt', [deployed, at, 'latest']);
    await rpc(rpcUrl, 'anvil_setStorageAt', [BASE_SEPOLIA_USDC, at, value]);
  }
  // The code is set last. If this process dies before, the next run finds no code and starts again.
  await rpc(rpcUrl, 'anvil_setCode', [BASE_SEPOLIA_USDC, code]);
  return BASE_SEPOLIA_USDC;
}
