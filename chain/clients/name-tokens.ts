import { type Address, zeroAddress } from 'viem';
import { namehash } from 'viem/ens';
import type { TokenAsset } from '../../agents/certificates/certificates.ts';
import { lowerAddress } from '../../agents/ids.ts';
import type { Name } from '../../agents/names/name.ts';
import type { Deployment } from '../deploy/deployment.ts';
import type { ChainReader, Place } from '../rpc/reader.ts';
import { readAssetOwner } from './assets.ts';

/** Contracts whose tokens are names, by the top-level domain that they give out. */
export type NameContracts = ReadonlyMap<string, Address>;

/** The tokens by which providers may give a name out. */
export interface NameTokens {
  /** The one token that counts, where the contract of the top-level domain is configured. */
  readonly configured: TokenAsset | null;
  /** Otherwise those of the demo providers, each of which counts where somebody has it. */
  readonly offered: readonly TokenAsset[];
}

/** Which tokens may stand for a name; no chain is read, because a token's id is the name's hash (EIP-137). */
export function nameTokensOf(
  { chainId, namesA, namesB }: Pick<Deployment, 'chainId' | 'namesA' | 'namesB'>,
  contracts: NameContracts,
  { name, tld, labels }: Name,
): NameTokens {
  const tokenId = BigInt(namehash(name)).toString();
  const tokenOn = (contract: Address): TokenAsset => ({
    ...{ kind: 'token', chainId, contract: lowerAddress(contract), tokenId },
  });
  const contract = contracts.get(tld);
  if (contract !== undefined && labels.length >= 2) return { configured: tokenOn(contract), offered: [] };
  const offered = [namesA, namesB].filter((names) => names !== zeroAddress).map(tokenOn);
  return { configured: null, offered };
}

/** Who has each of these tokens at a block; those that nobody has are left out. @throws ReaderError */
export async function heldNameTokens(
  reader: ChainReader,
  tokens: readonly TokenAsset[],
  block: Place,
): Promise<{ readonly token: TokenAsset; readonly holder: Address }[]> {
  const read = tokens.map(async (token) => {
    const holder = await readAssetOwner(reader, token.contract, BigInt(token.tokenId), block);
    return holder === null ? [] : [{ token, holder }];
  });
  return (await Promise.all(read)).flat();
}
