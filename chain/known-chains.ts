import type { Chain } from 'viem';

/** An ERC-20 that stands for a dollar. */
export interface DollarToken {
  readonly token: `0x${string}`;
  readonly name: string;
  readonly decimals: number;
}

/** What is known of a chain without asking it. */
export interface KnownChain {
  readonly chainId: number;
  readonly name: string;
  /** Seconds between blocks; null when nobody says. */
  readonly blockSeconds: number | null;
  /** The symbol of the currency that pays for gas. */
  readonly native: string;
  readonly dollars: readonly DollarToken[];
  /** Where people look at it: the address of a block explorer's site; absent where none is known. */
  readonly explorer?: string;
}

type Row = readonly [name: string, token: `0x${string}`, decimals?: number];

/**
 * Dollar tokens by chain, as their issuers publish them (Circle, Tether, Sky). USDC stands first, because its contract
 * tells whom the issuer has frozen.
 */
const DOLLARS: Readonly<Record<number, readonly Row[]>> = {
  1: [
    ['USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    ['USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
    ['DAI', '0x6B175474E89094C44Da98b954EedeAC495271d0F', 18],
  ],
  10: [
    ['USDC', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'],
    ['USDT', '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58'],
  ],
  56: [
    ['USDC', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 18],
    ['USDT', '0x55d398326f99059fF775485246999027B3197955', 18],
  ],
  100: [['USDC', '0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83']],
  130: [['USDC', '0x078D782b760474a361dDA0AF3839290b0EF57AD6']],
  137: [
    ['USDC', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
    ['USDC.e', '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'],
    ['USDT', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'],
  ],
  8453: [['USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913']],
  42161: [
    ['USDC', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
    ['USDT', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'],
  ],
  42220: [['USDC', '0xcebA9300f2b948710d2653dD7B07f33A8B32118C']],
  43114: [
    ['USDC', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'],
    ['USDT', '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7'],
  ],
  59144: [['USDC', '0x176211869cA2b568f2A7D4EE941E073a821EE1ff']],
  84532: [['USDC', '0x036CbD53842c5426634e7929541eC2318f3dCF7e']],
  421614: [['USDC', '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d']],
  11155111: [['USDC', '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238']],
  11155420: [['USDC', '0x5fd84259d66Cd46123540766Be93DFE6D43130D7']],
};

/** Block times that viem's definitions leave out, in seconds, as the chains' own documentation says. */
const BLOCK_SECONDS: Readonly<Record<number, number>> = { 11155111: 12, 80002: 2, 5000: 2 };

/**
 * Names and block times from viem's chain definitions, dollar tokens from the table here. A chain that nobody has
 * defined is known by its id alone. The definitions are many, so they are loaded only when a chain is asked for.
 */
export async function knownChains(chainIds: readonly number[]): Promise<ReadonlyMap<number, KnownChain>> {
  if (chainIds.length === 0) return new Map();
  const defined: Chain[] = Object.values(await import('viem/chains'));
  return new Map(
    chainIds.map((chainId) => {
      // Several definitions of one id differ in what is not read here; a test network never hides a main one.
      const found = defined.filter((c) => c.id === chainId);
      const chain = found.find((c) => c.testnet !== true) ?? found[0];
      const milliseconds = chain?.blockTime;
      return [
        chainId,
        {
          chainId,
          name: chain?.name ?? `chain ${chainId}`,
          blockSeconds: BLOCK_SECONDS[chainId] ?? (milliseconds === undefined ? null : milliseconds / 1000),
          native: chain?.nativeCurrency.symbol ?? 'native currency',
          ...(chain?.blockExplorers && { explorer: chain.blockExplorers.default.url }),
          dollars: (DOLLARS[chainId] ?? []).map(([name, token, decimals = 6]) => ({
            token,
            name,
            decimals,
          })),
        },
      ] as const;
    }),
  );
}
