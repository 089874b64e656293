import { type Abi, type Address, parseAbi } from 'viem';
import { readAssetOwner } from './assets.ts';
import { type ChainReader, ReaderError } from './readers/reader.ts';

/** What an ERC-6551 account answers of the token that it is bound to. */
export const TOKEN_OF_ACCOUNT: Abi = parseAbi([
  'function token() view returns (uint256 chainId, address tokenContract, uint256 tokenId)',
]);

/** An account whose token's owner is an account, and so on: nobody honest needs more of them. */
const MOST_STEPS = 8;

/**
 * Who stands behind an owner: where it is a token-bound account (ERC-6551), the owner of its token, and so on to a
 * wallet that is none. An account whose token nobody holds, or which is bound on another chain, stands for itself.
 * @returns lower case; null where the chain of accounts has no end in sight: then nobody knows
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
