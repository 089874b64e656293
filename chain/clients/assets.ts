import { type Abi, type Address, isAddressEqual, parseAbi, zeroAddress } from 'viem';
import type { Deployment } from '../deploy/deployment.ts';
import { type ChainReader, ReaderError } from '../rpc/reader.ts';

const ERC721: Abi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function getApproved(uint256 tokenId) view returns (address)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
]);

/**
 * Reads who holds an ERC-721 token at a block; null when nobody does, or there is no such collection.
 * @throws ReaderError down, slow, reorganised: then the holder is unknown
 */
export async function readAssetOwner(
  reader: ChainReader,
  contract: Address,
  tokenId: bigint,
  block: bigint,
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
 * True when the settlement contract may take the token from its holder, by an approval for it alone or for all tokens.
 * @throws ReaderError
 */
export async function isApprovedForSettlement(
  reader: ChainReader,
  deployment: Deployment,
  asset: { readonly contract: Address; readonly tokenId: bigint; readonly owner: Address },
  block: bigint,
): Promise<boolean> {
  const ask = (functionName: string, args: readonly unknown[]) =>
    reader.read({ address: asset.contract, abi: ERC721, functionName, args, block });
  const [approved, forAll] = await Promise.all([
    ask('getApproved', [asset.tokenId]),
    ask('isApprovedForAll', [asset.owner, deployment.settlement]),
  ]);
  return forAll === true || isAddressEqual(approved as Address, deployment.settlement);
}
