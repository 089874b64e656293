import { type Address, type Hex, toHex } from 'viem';
import { rpc } from './json-rpc.ts';

/** USDC of Base Sepolia (eip155:84532): the one token there that a stock x402 client pays with unasked. */
export const BASE_SEPOLIA_USDC: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

/** Where ERC20 keeps its name and its symbol. */
const NAME_SLOTS = [3, 4];

/**
 * Puts a deployed test token also where Base Sepolia has its USDC, so that clients which know only that address can pay
 * on the local chain. Code and name are copied, balances are not. Local chains only; running it again changes nothing.
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
  // Last: while there is no code, it is done again.
  await rpc(rpcUrl, 'anvil_setCode', [BASE_SEPOLIA_USDC, code]);
  return BASE_SEPOLIA_USDC;
}
