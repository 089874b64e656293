import { namehash } from 'viem/ens';
import { type Asset, assetKey } from '../../agents/assets.ts';
import type { TokenAsset } from '../../agents/certificates/certificates.ts';
import { type Name, nameKey } from '../../agents/names/name.ts';
import { noteCertificate } from '../../store/certificates/certificates.ts';
import { HOME_CHAIN, type Services } from '../services.ts';

/**
 * The asset that stands for a name on chain: the provider's own token if there is one, whose id is the name's hash
 * (EIP-137), otherwise a certificate.
 */
export function nameAsset({ config }: Pick<Services, 'config'>, name: Name): Asset {
  const contract = config.nameTokens.get(name.tld);
  if (contract === undefined || name.labels.length < 2) {
    return { kind: 'serial', serialKind: 'name', serial: name.name };
  }
  return { kind: 'token', chainId: HOME_CHAIN, contract, tokenId: BigInt(namehash(name.name)).toString() };
}

/**
 * Notes that a provider's token stands for its name, as a certificate stands for its serial. So the name is one lot,
 * however it is spelled.
 */
export async function noteNameToken({ db }: Services, name: Name, token: TokenAsset): Promise<void> {
  await noteCertificate(db, { tokenKey: assetKey(token), assetKey: nameKey(name) });
}
