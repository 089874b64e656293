/** A chain in the form in which a wallet adds it (EIP-3085). */
export interface WalletChain {
  /** Hex digits after 0x. */
  readonly chainId: string;
  readonly chainName: string;
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number };
  readonly rpcUrls: readonly string[];
}

const NAMES: Readonly<Record<number, string>> = {
  1002: 'Safe Handshake test chain',
  84532: 'Base Sepolia',
};

/** @param rpcUrl shown to everybody, so it must never contain a key */
export function walletChain(chainId: number, rpcUrl: string): WalletChain {
  return {
    chainId: `0x${chainId.toString(16)}`,
    chainName: NAMES[chainId] ?? `Chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [rpcUrl],
  };
}
