import { embedded } from '../../runtime/config/config.ts';
import type { Services } from '../../runtime/services.ts';
import { CHAINS } from '../words/home.ts';

/** A chain in the form in which a wallet adds it (EIP-3085). */
export interface WalletChain {
  /** Hex digits after 0x. */
  readonly chainId: string;
  readonly chainName: string;
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number };
  readonly rpcUrls: readonly string[];
}

/** @param rpcUrl shown to everybody, so it must never contain a key */
function walletChain(chainId: number, rpcUrl: string): WalletChain {
  return {
    chainId: `0x${chainId.toString(16)}`,
    chainName: CHAINS.names[chainId] ?? CHAINS.unnamed(chainId),
    nativeCurrency: { name: CHAINS.native, symbol: 'ETH', decimals: 18 },
    rpcUrls: [rpcUrl],
  };
}

/** The chains that owners sign for, if wallets may be told how to reach them. */
export function walletChains({ config, chains }: Pick<Services, 'config' | 'chains'>): WalletChain[] {
  return ([1002, 84532] as const).flatMap((id) => {
    // A configured RPC URL may contain a key, so it is never shown to wallets.
    const own = embedded(config) ? chains.get(id)?.rpcUrl : undefined;
    const rpcUrl = config.walletRpcUrls[id] ?? own;
    return rpcUrl === undefined ? [] : [walletChain(id, rpcUrl)];
  });
}

/** The chains by id, as the browser's code takes them. */
export function chainsById(chains: readonly WalletChain[]): string {
  return JSON.stringify(Object.fromEntries(chains.map((chain) => [Number(chain.chainId), chain])));
}
