import type { WalletCall } from '../methods.ts';
import * as js from './primordials.ts';

/** Each has one transaction as its parameter. */
const SENDS = ['eth_sendTransaction', 'eth_signTransaction', 'wallet_sendTransaction'];
/** As wallets write it, and compare it: in hex, without zeros in front. */
const CHAIN = /^0x[1-9a-f][0-9a-f]{0,12}$/;

/**
 * Names the wallet's chain in a transaction that names none. A page can forge what the wallet says of its chain, but not
 * have a wallet send what names another.
 * @param call a copy of what the page asks for, as the wallet will get it
 * @param chainId as the wallet says
 */
export function nameChain({ method, params }: WalletCall, chainId: unknown): void {
  if (!isSending(method) || !js.isArray(params) || params.length !== 1) return;
  const transaction: unknown = js.get(params, 0);
  if (typeof transaction !== 'object' || transaction === null || js.isArray(transaction)) return;
  if (typeof chainId !== 'string' || !js.matches(CHAIN, chainId)) return;
  if (js.getOwnPropertyDescriptor(transaction, 'chainId')?.value !== undefined) return;
  js.defineProperty(transaction, 'chainId', {
    value: chainId,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function isSending(method: string): boolean {
  for (let i = 0; i < SENDS.length; i++) if (SENDS[i] === method) return true;
  return false;
}
