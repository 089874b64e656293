import { type Address, domainSeparator, type Hex, parseAbi, zeroAddress, zeroHash } from 'viem';
import { RpcSilence } from '../../rpc/json-rpc.ts';
import type { SettlementToken } from '../deploy-plan.ts';
import type { Node } from './node.ts';

/**
 * Chains on which test money may be minted: the two that the service runs itself, those of development tools, and the
 * public test networks (https://chainlist.org). Any other chain counts as one with real money.
 */
const TEST_NETWORKS: ReadonlySet<number> = new Set([
  1002, 84532, 1337, 31337,
  // Sepolia, Holesky, Hoodi, and the test networks of Optimism, Arbitrum, Polygon, Scroll, Linea, Avalanche, BNB,
  // Gnosis and Celo.
  11155111,
  17000, 560048, 11155420, 421614, 80002, 534351, 59141, 43113, 97, 10200, 44787, 11142220,
]);

export function isTestNetwork(chainId: number): boolean {
  return TEST_NETWORKS.has(chainId);
}

const TOKEN_ABI = parseAbi([
  'function decimals() view returns (uint8)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address, bytes32) view returns (bool)',
]);

/**
 * Checks what payments need of a token: six decimals, EIP-3009, and the EIP-712 domain that it claims.
 * @throws Error with one sentence that names the problem
 */
export async function readToken(node: Node, address: Address): Promise<SettlementToken> {
  const amiss = (what: string) =>
    new Error(`the token ${address} on chain ${node.chainId} cannot be the settlement token: ${what}`);
  if ((await node.code(address)) === '0x') throw amiss('no contract stands there');
  const ask = async <T>(reading: Promise<T>, what: string): Promise<T> => {
    try {
      return await reading;
    } catch (error) {
      // A node that does not answer says nothing about the token.
      if (error instanceof Error && error.cause instanceof RpcSilence) throw error;
      throw amiss(what);
    }
  };
  const decimals = await ask(node.read(address, TOKEN_ABI, 'decimals'), 'it does not say its decimals');
  if (decimals !== 6) throw amiss(`it has ${decimals} decimals, not 6`);
  const usdcName = await ask(node.read(address, TOKEN_ABI, 'name'), 'it does not say its name');
  const usdcVersion = await ask(
    node.read(address, TOKEN_ABI, 'version'),
    'it does not say the version of its EIP-712 domain',
  );
  await ask(
    node.read(address, TOKEN_ABI, 'authorizationState', [zeroAddress, zeroHash]),
    'it does not know EIP-3009 authorisations',
  );
  const stated: Hex = await ask(
    node.read(address, TOKEN_ABI, 'DOMAIN_SEPARATOR'),
    'it does not say its EIP-712 domain',
  );
  const domain = { name: usdcName, version: usdcVersion, chainId: node.chainId, verifyingContract: address };
  if (domainSeparator({ domain }) !== stated) {
    throw amiss('it signs under another EIP-712 domain than its name, version, chain and address');
  }
  return { usdc: address, usdcName, usdcVersion };
}
