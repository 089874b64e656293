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
  /** Otherwise those of the demo providers, of which one counts: the first that somebody has. */
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

/**
 * The token that is the name at a block: the first of these that somebody has. A name has one provider, so that the token
 * of another is not the name, whoever holds it. @returns null where nobody has any @throws ReaderError
 */
export async function nameTokenHeld(
  reader: ChainReader,
  tokens: readonly TokenAsset[],
  block: Place,
): Promise<TokenAsset | null> {
  const held = await Promise.all(
    tokens.map(async ({ contract, tokenId }) => readAssetOwner(reader, contract, BigInt(tokenId), block)),
  );
  return tokens.find((_, n) => held[n] !== null) ?? null;
}
