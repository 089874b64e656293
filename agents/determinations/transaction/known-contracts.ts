import type { WalletCommon } from '../wallet/wallet-evidence.ts';

/** A contract that many people give power over their tokens, and who says that it is what it is. */
export interface KnownContract {
  readonly name: string;
  readonly source: string;
}

const UNISWAP = 'https://docs.uniswap.org/contracts/v3/reference/deployments';
const SEAPORT = 'https://github.com/ProjectOpenSea/seaport';

/**
 * Addresses that only their makers' deployers could fill, so that they are the same on every EVM chain where they have
 * code. Lower case. Each is as its makers publish it.
 */
export const KNOWN_CONTRACTS: ReadonlyMap<string, KnownContract> = new Map(
  (
    [
      ['0x000000000022d473030f116ddee9f6b43ac78ba3', 'Permit2', 'https://github.com/Uniswap/permit2'],
      ['0x7a250d5630b4cf539739df2c5dacb4c659f2488d', 'Uniswap V2 router', UNISWAP],
      ['0xe592427a0aece92de3edee1f18e0157c05861564', 'Uniswap V3 router', UNISWAP],
      ['0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45', 'Uniswap SwapRouter02', UNISWAP],
      ['0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad', 'Uniswap universal router', UNISWAP],
      ['0x1111111254eeb25477b68fb85ed929f73a960582', '1inch router v5', 'https://docs.1inch.io'],
      ['0x111111125421ca6dc452d289314280a0f8842a65', '1inch router v6', 'https://docs.1inch.io'],
      ['0xdef1c0ded9bec7f1a1670819833240f027b25eff', '0x exchange proxy', 'https://0x.org/docs'],
      ['0xc92e8bdf79f0507f65a392b0ab4667716bfe0110', 'CoW Protocol vault relayer', 'https://docs.cow.fi'],
      ['0x00000000000000adc04c56bf30ac9d3c0aaf14dc', 'Seaport 1.5', SEAPORT],
      ['0x0000000000000068f116a894984e2db1123eb395', 'Seaport 1.6', SEAPORT],
      ['0x1e0049783f008a0085193e00003d00cd54003c71', 'OpenSea conduit', SEAPORT],
    ] as const
  ).map(([address, name, source]) => [address, { name, source }]),
);

/** Whether a contract is known to do what its users want. */
export function isKnown(address: string, { contracts = [] }: Pick<WalletCommon, 'contracts'>): boolean {
  return KNOWN_CONTRACTS.has(address) || contracts.includes(address);
}

const OP_STACK = '0x4200000000000000000000000000000000000006';

/**
 * Where each chain's native currency is wrapped one to one (WETH9 and its copies), by CAIP-2 chain. Lower case. As the
 * makers of the chains and https://docs.uniswap.org/contracts/v3/reference/deployments publish them.
 */
const WRAPPED: ReadonlyMap<string, string> = new Map([
  ['eip155:1', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
  ['eip155:10', OP_STACK],
  ['eip155:56', '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c'],
  ['eip155:100', '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d'],
  ['eip155:130', OP_STACK],
  ['eip155:137', '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270'],
  ['eip155:8453', OP_STACK],
  ['eip155:42161', '0x82af49447d8a07e3bd95bd0d56f35241523fbab1'],
  ['eip155:43114', '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7'],
  ['eip155:84532', OP_STACK],
  ['eip155:11155111', '0xfff9976782d46cc05630d1f6ebab18b2324d6b14'],
]);

/** The contract that wraps a chain's native currency; null where none is known. */
export function wrappedNative(chain: string): string | null {
  return WRAPPED.get(chain) ?? null;
}
