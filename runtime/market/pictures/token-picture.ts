import type { Abi } from 'viem';
import type { Asset } from '../../../agents/assets.ts';
import { BoundedMap } from '../../bounded-map.ts';
import { embedded } from '../../config/config.ts';
import type { Services } from '../../services.ts';
import { fetchPublic } from './fetch-public.ts';

export interface Picture {
  readonly type: string;
  readonly bytes: Buffer;
}

const TOKEN_URI: Abi = [
  {
    type: 'function',
    name: 'tokenURI',
    stateMutability: 'view',
    inputs: [{ name: 'tokenId', type: 'uint256' }],
    outputs: [{ name: '', type: 'string' }],
  },
];
const TIMEOUT_MS = 3_000;
const DOCUMENT_BYTES = 64 * 1024;
const PICTURE_BYTES = 1024 * 1024;
const KEPT = 200;
const FRESH_MS = 5 * 60_000;

const kept = new BoundedMap<string, { readonly until: number; readonly picture: Promise<Picture | null> }>(
  KEPT,
);

/**
 * The token's own picture, as its metadata name it (ERC-721 `tokenURI`). It is fetched here and not by the visitor, whom
 * the seller would otherwise see. Only pixels are taken: a drawing in SVG could carry script. @returns null where there is
 * none that may be shown
 */
export function pictureOf(
  services: Services,
  asset: Asset & { readonly kind: 'token' },
): Promise<Picture | null> {
  const key = `${asset.chainId}/${asset.contract}/${asset.tokenId}`;
  const now = services.now().getTime();
  const known = kept.get(key);
  if (known !== undefined && known.until > now) return known.picture;
  const picture = readPicture(services, asset).catch(() => null);
  kept.set(key, { until: now + FRESH_MS, picture });
  return picture;
}

async function readPicture(
  { chains, config }: Services,
  { chainId, contract, tokenId }: Asset & { readonly kind: 'token' },
): Promise<Picture | null> {
  const reader = chains.get(chainId)?.readers.viem;
  if (reader === undefined) return null;
  const block = 'latest' as const;
  const call = { address: contract as `0x${string}`, abi: TOKEN_URI, functionName: 'tokenURI', block };
  const uri = await reader.read({ ...call, args: [BigInt(tokenId)] });
  const allowed = { loopback: embedded(config) };
  const get = (address: string, maxBytes: number) =>
    bytesAt(address, maxBytes, (url) => fetchPublic(url, { allowed, timeoutMs: TIMEOUT_MS, maxBytes }));
  const document = await get(String(uri), DOCUMENT_BYTES);
  if (document === null) return null;
  const { image } = JSON.parse(document.toString('utf8')) as { image?: unknown };
  const bytes = typeof image === 'string' ? await get(image, PICTURE_BYTES) : null;
  const type = bytes === null ? null : pixelType(bytes);
  return bytes === null || type === null ? null : { type, bytes };
}

/** What stands in a data URL, or is answered at an https address. */
async function bytesAt(
  address: string,
  maxBytes: number,
  fetched: (url: URL) => Promise<Buffer | null>,
): Promise<Buffer | null> {
  const [, base64, data] = /^data:[^,]{0,100}?(;base64)?,(.*)$/s.exec(address) ?? [];
  if (data !== undefined) {
    if (data.length > maxBytes * 2) return null;
    return base64 === undefined ? Buffer.from(decodeURIComponent(data)) : Buffer.from(data, 'base64');
  }
  return URL.canParse(address) ? await fetched(new URL(address)) : null;
}

const SIGNATURES: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ['image/png', 0, '89504e470d0a1a0a'],
  ['image/jpeg', 0, 'ffd8ff'],
  ['image/gif', 0, '47494638'],
  ['image/webp', 8, '57454250'],
];

/** The type of a picture by its first bytes, whatever its server calls it; null for all that is not pixels. */
export function pixelType(bytes: Buffer): string | null {
  const found = SIGNATURES.find(
    ([, at, hex]) => bytes.subarray(at, at + hex.length / 2).toString('hex') === hex,
  );
  return found?.[0] ?? null;
}
