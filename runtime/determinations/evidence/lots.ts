import { type Asset, assetKey, parseAssetKey } from '../../../agents/assets.ts';
import type { SerialAsset, TokenAsset } from '../../../agents/certificates/certificates.ts';
import type { PinnedBlocks } from '../../../agents/determinations/panel/types.ts';
import { AppError } from '../../../agents/errors.ts';
import { lowerAddress, sameAddress } from '../../../agents/ids.ts';
import { serialOf } from '../../../chain/clients/certificates.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { ReaderError } from '../../../chain/rpc/reader.ts';
import { lotKeyOf, noteCertificate } from '../../../store/certificates/certificates.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, within } from '../deps.ts';
import { pinChains, pinnedNumber, requirePinned } from '../pins.ts';

/** The one thing behind all spellings of an asset. */
export interface Lot {
  /** The key under which it is listed, pledged and matched; for a certificate, its serial's. */
  readonly key: string;
  /** Null for a token that is not a certificate. */
  readonly serial: SerialAsset | null;
}

/** What each client reported that a certificate stands for, at one block; null when it reported nothing. */
interface Told {
  readonly chain: string;
  readonly blocks: PinnedBlocks;
  readonly viem: { readonly lot: Lot | null; readonly fault: string | null };
  readonly ethers: Told['viem'];
}

/** A known lot, or what the two clients report about an unknown one. */
export type LotSaid =
  | { readonly known: Lot; readonly told: null }
  | { readonly known: null; readonly told: Told };

/**
 * Resolves every spelling of an asset to its lot, and is the only place that does: a certificate's contract and token
 * id to the serial for which it stands, a provider's token to its name, a serial to its most specific kind.
 * @throws AppError unavailable when the chain must be asked and cannot be, or when its two readers disagree
 */
export async function lotOf(deps: EvidenceDeps, asset: Asset): Promise<Lot> {
  const { known, told } = await lotSaid(deps, asset);
  if (known !== null) return known;
  const [one, other] = [told.viem, told.ethers];
  if (one.lot !== null && one.lot.key === other.lot?.key) return one.lot;
  const why = one.fault ?? other.fault ?? `${one.lot?.key} over viem, ${other.lot?.key} over ethers`;
  throw new AppError('unavailable', `What certificate this is cannot be read from ${told.chain} now.`, {
    cause: new Error(why),
  });
}

/**
 * As {@link lotOf}, but if the chain must be asked, with what each of its readers reports: a node that lies about a
 * certificate must not pass a stolen or pledged thing off as another. When both report the same, the lot is stored and
 * is known from then on.
 */
export async function lotSaid(deps: EvidenceDeps, asset: Asset): Promise<LotSaid> {
  const known = await lotKnown(deps, asset);
  if (known !== null) return { known, told: null };
  const { chainId, tokenId } = asset as TokenAsset;
  const deployment = deps.deployments.get(chainId);
  const chain = caip2(chainId);
  const { blocks, faults } = await pinChains(deps, [chainId]);
  const tellBy = async (client: 'viem' | 'ethers'): Promise<Told['viem']> => {
    const reader = deps.readers.get(chainId)?.[client];
    if (reader === undefined || deployment === undefined)
      return { lot: null, fault: `no RPC URL is configured for ${chain}` };
    const unpinned = faults[chain];
    if (unpinned !== undefined) return { lot: null, fault: unpinned };
    try {
      const reading = serialOf(reader, deployment, BigInt(tokenId), pinnedNumber(blocks, chainId));
      const key = await within(reading, chainTimeoutMs(deps), `${client} on ${chain}`);
      await requirePinned(reader, blocks);
      return { lot: key === null ? itself(asset) : certified(key), fault: null };
    } catch (error) {
      return { lot: null, fault: faultOf(error) };
    }
  };
  const [viem, ethers] = await Promise.all([tellBy('viem'), tellBy('ethers')]);
  const { lot } = viem;
  if (lot === null || lot.key !== ethers.lot?.key)
    return { known: null, told: { chain, blocks, viem, ethers } };
  if (lot.serial !== null) await noteCertificate(deps.db, { tokenKey: assetKey(asset), assetKey: lot.key });
  return { known: lot, told: null };
}

/** The key of its lot if that is known; otherwise its own key and each one that either reader reported. */
export function keysSaid(asset: Asset, { known, told }: LotSaid): string[] {
  if (known !== null) return [known.key];
  const lots = [told.viem.lot, told.ethers.lot].filter((l) => l !== null);
  return [...new Set([assetKey(asset), ...lots.map((l) => l.key)])];
}

/** Null for a certificate that is unknown here; the chain must then be asked what it stands for. */
async function lotKnown(deps: EvidenceDeps, asset: Asset): Promise<Lot | null> {
  if (asset.kind === 'serial') return { key: assetKey(asset), serial: asset };
  const tokenKey = assetKey(asset);
  const known = await lotKeyOf(deps.db, tokenKey);
  if (known !== tokenKey) return certified(known);
  const certificates = deps.deployments.get(asset.chainId)?.certificates;
  return certificates !== undefined && sameAddress(asset.contract, certificates) ? null : itself(asset);
}

function certified(key: string): Lot {
  return { key, serial: parseAssetKey(key) as SerialAsset };
}

/** The lot of a token that stands for nothing but itself. */
function itself(asset: Asset): Lot {
  return { key: assetKey(asset), serial: null };
}

/** @throws AppError unavailable instead of a ReaderError: what is unknown is not allowed */
export async function overChain<T>(chainId: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ReaderError)) throw error;
    throw new AppError('unavailable', `Chain ${chainId} cannot be read now.`, { cause: error });
  }
}

/** The token of a certificate. */
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
