import type { Hex } from 'viem';

/** Wallets whose code is known, and the gas limits of their settlements. */
export interface KnownWallets {
  /** By the hash of the code that runs: the most gas that a payment may take. */
  readonly codes: ReadonlyMap<Hex, bigint>;
  /** By the hash of a known proxy's own code: where the proxy stores its implementation. */
  readonly proxies: ReadonlyMap<Hex, 'erc1967' | 'slot0'>;
}

/** Safe checks a signature of each owner; this is enough for a few owners that are keys. */
const SAFE_GAS = 200_000n;

/**
 * Runtime code hashes of Safe's singletons, from its list of deployments
 * (https://github.com/safe-global/safe-deployments, `src/assets/code-hashes.json`). They count where such code runs by
 * delegation (EIP-7702), by a minimal proxy, or behind a proxy that `KNOWN_WALLETS` names.
 */
const SAFE: readonly Hex[] = [
  '0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e', // 1.3.0
  '0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f', // 1.3.0, L2
  '0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4', // 1.4.1
  '0xb1f926978a0f44a2c0ec8fe822418ae969bd8c3f18d61e5103100339894f81ff', // 1.4.1, L2
];

/** @param more code that the operator trusts in addition to Safe's */
export function knownWallets(more: Partial<KnownWallets> = {}): KnownWallets {
  return {
    codes: new Map([...SAFE.map((hash) => [hash, SAFE_GAS] as const), ...(more.codes ?? [])]),
    proxies: new Map(more.proxies ?? []),
  };
}
