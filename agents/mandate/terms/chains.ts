/** Chains by the name a mandate gives them, with their EIP-155 chain id; Solana has none. */
const CHAIN_IDS: Readonly<Record<string, number | null>> = {
  ethereum: 1,
  optimism: 10,
  bnb: 56,
  gnosis: 100,
  polygon: 137,
  fantom: 250,
  zksync: 324,
  mantle: 5000,
  base: 8453,
  arbitrum: 42161,
  celo: 42220,
  avalanche: 43114,
  linea: 59144,
  blast: 81457,
  'base-sepolia': 84532,
  scroll: 534352,
  sepolia: 11155111,
  solana: null,
};

const NAME_BY_ID: ReadonlyMap<number, string> = new Map(
  Object.entries(CHAIN_IDS).flatMap(([name, id]) => (id === null ? [] : [[id, name] as const])),
);

/** The name of a chain in a mandate; a chain without one goes by its CAIP-2 id, such as `eip155:1002`. */
export function chainNameOf(chainId: number): string {
  return NAME_BY_ID.get(chainId) ?? `eip155:${chainId}`;
}

/** How people write the chains: words in lower case, hyphens as spaces. Longest match wins. */
export const CHAIN_WORDS: Readonly<Record<string, readonly string[]>> = {
  ethereum: [
    'ethereum',
    'ethereum mainnet',
    'eth mainnet',
    'ethereum l1',
    'ethereum network',
    'ethereum chain',
  ],
  optimism: ['optimism', 'op mainnet', 'optimism mainnet', 'optimism network'],
  bnb: ['bnb', 'bnb chain', 'bnb smart chain', 'bsc', 'binance smart chain'],
  gnosis: ['gnosis', 'gnosis chain'],
  polygon: ['polygon', 'polygon pos', 'polygon mainnet', 'polygon network'],
  fantom: ['fantom'],
  zksync: ['zksync', 'zksync era'],
  mantle: ['mantle'],
  base: ['base', 'base mainnet', 'base network', 'base chain'],
  arbitrum: ['arbitrum', 'arbitrum one', 'arbitrum network'],
  celo: ['celo'],
  avalanche: ['avalanche', 'avalanche c chain', 'avax c chain', 'avalanche network'],
  linea: ['linea'],
  blast: ['blast'],
  'base-sepolia': ['base sepolia'],
  scroll: ['scroll'],
  sepolia: ['sepolia', 'ethereum sepolia'],
  solana: ['solana', 'solana mainnet', 'solana network', 'solana chain'],
};

/** A chain as people are told of it. */
export function chainWords(chain: string): string {
  const words = CHAIN_WORDS[chain]?.[0] ?? chain;
  return words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
