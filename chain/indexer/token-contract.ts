import { type Abi, type Address, parseAbi } from 'viem';
import { type ChainReader, type Place, ReaderError } from '../rpc/reader.ts';

export const TOKEN_ABI: Abi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address, uint256) view returns (uint256)',
  'function supportsInterface(bytes4) view returns (bool)',
]);
const ERC1155 = '0xd9b67a26';

export interface Token {
  readonly address: Address;
  readonly tokenId: bigint;
}

/** Whether a contract says that it is of ERC-1155 (ERC-165). @throws ReaderError where the node does not answer */
export async function isOfShares(reader: ChainReader, token: Token, block: Place): Promise<boolean> {
  return (await orNull(reader, token, 'supportsInterface', [ERC1155], block)) === true;
}

/** Turns a revert into null, since it means that there is no such thing. */
export async function orNull<T>(
  reader: ChainReader,
  { address }: Token,
  functionName: string,
  args: readonly unknown[],
  block: Place,
): Promise<T | null> {
  try {
    return (await reader.read({ address, abi: TOKEN_ABI, functionName, args, block })) as T;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return null;
    throw error;
  }
}
