import { namehash } from 'viem/ens';
import { type Asset, assetKey } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates.ts';
import { type Name, nameKey } from '../../../agents/names/name.ts';
import { noteCertificate } from '../../../store/certificates.ts';
import { HOME_CHAIN, type Services } from '../../services.ts';

/**
 * What a name is on chain: where a provider's own token stands for it, that token, whose id is the name's hash
 * (EIP-137); otherwise its certificate.
 */
export function nameAsset({ config }: Pick<Services, 'config'>, name: Name): Asset {
  const contract = config.nameTokens.get(name.tld);
  if (contract === undefined || name.labels.length < 2) {
    return { kind: 'serial', serialKind: 'name', serial: name.name };
  }
  return { kind: 'token', chainId: HOME_CHAIN, contract, tokenId: BigInt(namehash(name.name)).toString() };
}

/** Has a provider's token stand for its name, as a certificate stands for its serial: one lot, however it is spelled. */
export async function noteNameToken({ db }: Services, name: Name, token: TokenAsset): Promise<void> {
  await noteCertificate(db, { tokenKey: assetKey(token), assetKey: nameKey(name) });
}
