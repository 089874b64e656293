import { type Asset, assetKey, normaliseAsset, parseAssetKey } from '../../agents/assets.ts';
import type { SerialAsset, TokenAsset } from '../../agents/certificates.ts';
import { AppError } from '../../agents/errors.ts';
import { lowerAddress, sameAddress } from '../../agents/ids.ts';
import { serialOf } from '../../chain/certificates.ts';
import type { Deployment } from '../../chain/deployment.ts';
import { ReaderError } from '../../chain/readers/reader.ts';
import { lotKeyOf, noteCertificate } from '../../store/certificates.ts';
import type { EvidenceDeps } from './deps.ts';

/** The one thing behind all its spellings. */
export interface Lot {
  /** What it is listed, pledged and matched under: a certificate's is its serial's. */
  readonly key: string;
  /** Null for a token that is no certificate. */
  readonly serial: SerialAsset | null;
}

/**
 * Resolves every spelling of an asset to its lot, here and nowhere else: a certificate's contract and token id to the
 * serial it stands for (which the chain says once, and then it is known), a provider's token to its name, a serial to
 * its most telling kind.
 * @throws AppError unavailable when the chain must be asked and cannot be
 */
export async function lotOf(deps: EvidenceDeps, asset: Asset): Promise<Lot> {
  if (asset.kind === 'serial') {
    // "Generic" says nothing that its form does not say better.
    const kind = asset.serialKind === 'generic' ? {} : { serialKind: asset.serialKind };
    const serial = normaliseAsset({ serial: asset.serial, ...kind }) as SerialAsset;
    return { key: assetKey(serial), serial };
  }
  const tokenKey = assetKey(asset);
  const known = await lotKeyOf(deps.db, tokenKey);
  if (known !== tokenKey) return { key: known, serial: parseAssetKey(known) as SerialAsset };
  const deployment = deps.deployments.get(asset.chainId);
  const reader = deps.readers.get(asset.chainId)?.viem;
  if (!deployment || !reader || !sameAddress(asset.contract, deployment.certificates)) {
    return { key: tokenKey, serial: null };
  }
  const key = await overChain(asset.chainId, async () => {
    const { number } = await reader.head();
    return await serialOf(reader, deployment, BigInt(asset.tokenId), number);
  });
  if (key === null) return { key: tokenKey, serial: null };
  await noteCertificate(deps.db, { tokenKey, assetKey: key });
  return { key, serial: parseAssetKey(key) as SerialAsset };
}

/** @throws AppError unavailable in place of a ReaderError: what is unknown is not allowed */
export async function overChain<T>(chainId: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ReaderError)) throw error;
    throw new AppError('unavailable', `Chain ${chainId} cannot be read now.`, { cause: error });
  }
}

/** A certificate as the token it is. */
export function certificateAsset(
  { deployment }: { readonly deployment: Deployment },
  tokenId: bigint,
): TokenAsset {
  return {
    kind: 'token',
    chainId: deployment.chainId,
    contract: lowerAddress(deployment.certificates),
    tokenId: tokenId.toString(),
  };
}
