import { type Abi, type Address, isAddressEqual, parseAbi, zeroAddress } from 'viem';
import type { Deployment } from '../deploy/deployment.ts';
import { type ChainReader, type Place, ReaderError } from '../rpc/reader.ts';

const ERC721: Abi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function getApproved(uint256 tokenId) view returns (address)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
]);

/** Of more operators than this, powers over all of a holder's tokens are not read. */
const MOST_OPERATORS = 16;

/**
 * Reads who holds an ERC-721 token at a block; null when nobody does, or there is no such collection.
 * @throws ReaderError down, slow, reorganised: then the holder is unknown
 */
export async function readAssetOwner(
  reader: ChainReader,
  contract: Address,
  tokenId: bigint,
  block: Place,
): Promise<Address | null> {
  try {
    const owner = await reader.read({
      address: contract,
      abi: ERC721,
      functionName: 'ownerOf',
      args: [tokenId],
      block,
    });
    return owner === zeroAddress ? null : (owner as Address);
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return null;
    throw error;
  }
}

/**
 * True when the settlement contract may take the token from its holder. It asks for an approval of this one token: an
 * approval for all of a holder's tokens would outlive the sale, so the contract does not count it.
 * @throws ReaderError where the node does not answer; a contract that has no such question has approved nobody
 */
export async function isApprovedForSettlement(
  reader: ChainReader,
  deployment: Deployment,
  { contract, tokenId }: { readonly contract: Address; readonly tokenId: bigint },
  block: bigint,
): Promise<boolean> {
  try {
    const functionName = 'getApproved';
    const approved = await reader.read({
      address: contract,
      abi: ERC721,
      functionName,
      args: [tokenId],
      block,
    });
    return isAddressEqual(approved as Address, deployment.settlement);
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return false;
    throw error;
  }
}

/**
 * To whom the holder of a token gave the power to take it: this token alone, and which of these operators may take all.
 * A contract that does not have the question has approved nobody. Lower case.
 * @throws ReaderError where the node does not answer
 */
export async function readApprovals(
  reader: ChainReader,
  { contract, tokenId }: { readonly contract: Address; readonly tokenId: string },
  holder: Address,
  operators: readonly string[],
  block: Place,
): Promise<{ readonly token: string | null; readonly lenders: readonly string[] }> {
  const ask = async (functionName: string, args: readonly unknown[]): Promise<unknown> => {
    try {
      return await reader.read({ address: contract, abi: ERC721, functionName, args, block });
    } catch (error) {
      if (error instanceof ReaderError && error.kind === 'reverted') return null;
      throw error;
    }
  };
  const asked = operators.slice(0, MOST_OPERATORS);
  const [approved, ...may] = await Promise.all([
    ask('getApproved', [BigInt(tokenId)]),
    ...asked.map((operator) => ask('isApprovedForAll', [holder, operator])),
  ]);
  const one = typeof approved === 'string' ? approved.toLowerCase() : zeroAddress;
  return { token: one === zeroAddress ? null : one, lenders: asked.filter((_, i) => may[i] === true).sort() };
}
