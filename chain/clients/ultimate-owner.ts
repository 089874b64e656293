import { type Abi, type Address, parseAbi } from 'viem';
import { sameAddress } from '../../agents/ids.ts';
import { type ChainReader, ReaderError } from '../rpc/reader.ts';
import { readAssetOwner } from './assets.ts';

/** The function by which an ERC-6551 account says which token it is bound to. */
export const TOKEN_OF_ACCOUNT: Abi = parseAbi([
  'function token() view returns (uint256 chainId, address tokenContract, uint256 tokenId)',
]);

/**
 * How many accounts in a row are followed, when the owner of an account's token is an account again. Nobody honest
 * needs more.
 */
const MOST_STEPS = 8;

/**
 * Finds the beneficial owner. When an owner is a token-bound account (ERC-6551), it is the owner of the account's
 * token, and so on up to a wallet. An account counts as its own owner when nobody holds its token, or the token is on
 * another chain.
 * @returns lower case; null when the chain of accounts is too long, so that nobody knows
 * @throws ReaderError
 */
export async function ultimateOwner(
  reader: ChainReader,
  owner: Address,
  block: bigint,
): Promise<Address | null> {
  let at = owner;
  for (let step = 0; step < MOST_STEPS; step++) {
    const above = await ownerAbove(reader, at, block);
    if (above === null) return at.toLowerCase() as Address;
    at = above;
  }
  return null;
}

/**
 * As {@link ultimateOwner}, of an owner that is being read. What stands behind the presumed owner is read meanwhile, and
 * read again when the owner is another. @throws ReaderError
 */
export async function ultimateOwnerOf(
  reader: ChainReader,
  reading: Promise<Address>,
  likely: Address,
  block: bigint,
): Promise<Address | null> {
  const guess = ultimateOwner(reader, likely, block);
  // What fails of it is nobody's concern where the owner is another.
  guess.catch(() => {});
  const owner = await reading;
  return sameAddress(owner, likely) ? await guess : await ultimateOwner(reader, owner, block);
}

async function ownerAbove(reader: ChainReader, account: Address, block: bigint): Promise<Address | null> {
  if ((await reader.code(account, block)) === '0x') return null;
  const token = await boundTo(reader, account, block);
  if (token === null || token.chainId !== BigInt(reader.chainId)) return null;
  return await readAssetOwner(reader, token.contract, token.tokenId, block);
}

async function boundTo(reader: ChainReader, address: Address, block: bigint) {
  try {
    const answer = await reader.read({ address, abi: TOKEN_OF_ACCOUNT, functionName: 'token', block });
    const [chainId, contract, tokenId] = answer as readonly [bigint, Address, bigint];
    return { chainId, contract, tokenId };
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return null;
    throw error;
  }
}
