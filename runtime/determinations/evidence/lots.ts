import { type Asset, assetKey, parseAssetKey } from '../../../agents/assets.ts';
import type { SerialAsset, TokenAsset } from '../../../agents/certificates/certificates.ts';
import type { PinnedBlocks } from '../../../agents/determinations/panel/types.ts';
import { AppError } from '../../../agents/errors.ts';
import { lowerAddress, sameAddress } from '../../../agents/ids.ts';
import { nameOf, readName } from '../../../agents/names/name.ts';
import { serialOf } from '../../../chain/clients/certificates.ts';
import { type NameTokens, nameTokenHeld, nameTokensOf } from '../../../chain/clients/name-tokens.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { ReaderError } from '../../../chain/rpc/reader.ts';
import { lotKeyOf, noteCertificate } from '../../../store/certificates/certificates.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, within } from '../deps.ts';
import { pinChains, pinnedPlace } from '../pins.ts';

/** Certificates are issued, and names held, on the home chain. */
export const CERTIFYING_CHAIN = 1002;

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
      const reading = serialOf(reader, deployment, BigInt(tokenId), pinnedPlace(blocks, chainId));
      const key = await within(reading, chainTimeoutMs(deps), `${client} on ${chain}`);
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

/**
 * Every key under which something about the asset may stand: its lot's first if that is known, its own, each one that a
 * reader reported, and those of the tokens by which a name may be given out. What was said of a token before it had a name
 * stands under the token's key.
 */
export async function keysSaid(deps: EvidenceDeps, asset: Asset, said: LotSaid): Promise<string[]> {
  const lots = lotsIn(said);
  const own = assetKey(asset);
  const firsts = said.known === null ? [own, ...lots.map((l) => l.key)] : [said.known.key, own];
  const tokens = await Promise.all(lots.map((lot) => nameTokensIn(deps, lot)));
  return [...new Set([...firsts, ...tokens.flat().map(assetKey)])];
}

/** The possible lots: the lot if it is known, otherwise each one that a reader reported. */
export function lotsIn({ known, told }: LotSaid): Lot[] {
  if (known !== null) return [known];
  const said = [told.viem.lot, told.ethers.lot].filter((l) => l !== null);
  return [...new Map(said.map((l) => [l.key, l])).values()];
}

/**
 * The tokens that may stand for the name in question; none where it is not about a name. Where both clients read that one is
 * the name, what is said of another provider's is not said of it; where they do not, every one may be.
 */
async function nameTokensIn(deps: EvidenceDeps, lot: Lot): Promise<readonly TokenAsset[]> {
  const { configured, offered } = nameTokensFor(deps, lot);
  if (configured !== null) return [configured];
  if (offered.length < 2) return offered;
  const readers = deps.readers.get(CERTIFYING_CHAIN);
  if (readers === undefined) return offered;
  const reading = [readers.viem, readers.ethers].map(async (reader) => {
    const { number } = await reader.head();
    return await nameTokenHeld(reader, offered, number);
  });
  try {
    const [one, other] = await within(
      Promise.all(reading),
      chainTimeoutMs(deps),
      `which token is ${lot.key}`,
    );
    return one != null && other != null && assetKey(one) === assetKey(other) ? [one] : offered;
  } catch {
    return offered;
  }
}

/** By which tokens providers give out the name that a lot is of; by none where it is another lot. */
export function nameTokensFor({ deployments, nameTokens }: EvidenceDeps, { key }: Lot): NameTokens {
  const name = nameOf(key);
  const deployment = deployments.get(CERTIFYING_CHAIN);
  if (name === null || deployment === undefined) return { configured: null, offered: [] };
  return nameTokensOf(deployment, nameTokens ?? new Map(), readName(name));
}

/** Whether a token is of the contract of certificates. */
export function isCertificate({ deployments }: EvidenceDeps, { chainId, contract }: TokenAsset): boolean {
  const certificates = deployments.get(chainId)?.certificates;
  return certificates !== undefined && sameAddress(contract, certificates);
}

/** Null for a certificate that is unknown here; the chain must then be asked what it stands for. */
async function lotKnown(deps: EvidenceDeps, asset: Asset): Promise<Lot | null> {
  if (asset.kind === 'serial') return { key: assetKey(asset), serial: asset };
  const tokenKey = assetKey(asset);
  const known = await lotKeyOf(deps.db, tokenKey);
  if (known !== tokenKey) return certified(known);
  return isCertificate(deps, asset) ? null : itself(asset);
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
