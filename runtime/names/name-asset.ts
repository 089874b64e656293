import { zeroAddress } from 'viem';
import { namehash } from 'viem/ens';
import { type Asset, assetKey } from '../../agents/assets.ts';
import type { TokenAsset } from '../../agents/certificates/certificates.ts';
import { type Address, lowerAddress, sameAddress } from '../../agents/ids.ts';
import { type Name, nameKey } from '../../agents/names/name.ts';
import { readAssetOwner } from '../../chain/clients/assets.ts';
import { noteCertificate } from '../../store/certificates/certificates.ts';
import type { Config } from '../config/config.ts';
import { overChain } from '../determinations/public.ts';
import { HOME_CHAIN, type Services } from '../services.ts';

/** The token by which a contract gives a name out: its id is the name's hash (EIP-137). */
function tokenOf(contract: Address, name: Name): TokenAsset {
  const tokenId = BigInt(namehash(name.name)).toString();
  return { kind: 'token', chainId: HOME_CHAIN, contract: lowerAddress(contract), tokenId };
}

/** The token of the contract that is configured for a name's top-level domain; null where none is. */
export function configuredNameToken(
  { nameTokens }: Pick<Config, 'nameTokens'>,
  name: Name,
): TokenAsset | null {
  const contract = nameTokens.get(name.tld);
  return contract === undefined || name.labels.length < 2 ? null : tokenOf(contract, name);
}

/**
 * The asset that stands for a name on chain: a provider's own token if there is one, otherwise a certificate. Under a
 * top-level domain whose contract is configured nothing else counts; elsewhere a provider's token counts where somebody
 * has it. Of two providers, the one whose token the seller holds.
 * @param holders who may hold it for the seller
 * @throws AppError unavailable where the chain does not answer
 */
export async function nameAsset(
  { config, home }: Pick<Services, 'config' | 'home'>,
  name: Name,
  holders: readonly Address[],
): Promise<Asset> {
  const configured = configuredNameToken(config, name);
  if (configured !== null) return configured;
  const { namesA, namesB } = home.deployment;
  const registered = await overChain(HOME_CHAIN, async () => {
    const reader = home.readers.viem;
    const { number } = await reader.head();
    const tokens = [namesA, namesB].filter((c) => c !== zeroAddress).map((c) => tokenOf(c, name));
    const read = tokens.map(async (token) => {
      const holder = await readAssetOwner(reader, token.contract, BigInt(token.tokenId), number);
      return { token, holder };
    });
    return (await Promise.all(read)).filter(({ holder }) => holder !== null);
  });
  const held = registered.find(({ holder }) => holders.some((one) => sameAddress(one, holder as Address)));
  return (held ?? registered[0])?.token ?? { kind: 'serial', serialKind: 'name', serial: name.name };
}

/**
 * Notes that a provider's token stands for its name, as a certificate stands for its serial. So the name is one lot,
 * however it is spelled.
 */
export async function noteNameToken({ db }: Services, name: Name, token: TokenAsset): Promise<void> {
  await noteCertificate(db, { tokenKey: assetKey(token), assetKey: nameKey(name) });
}
