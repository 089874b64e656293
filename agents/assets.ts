import { badField } from './errors.ts';
import { SERIAL_KINDS, type SerialKind } from './goods/kinds.ts';
import { readSerial } from './goods/serial.ts';
import { isEvmAddress } from './ids.ts';
import { readName } from './names/name.ts';

export { SERIAL_KINDS, type SerialKind };

/** The chain of a token for which none is named. */
export const ASSUMED_CHAIN = 1002;

/** An asset as it arrives on the wire: contract with tokenId, or a serial. */
export interface AssetInput {
  readonly chainId?: number;
  readonly contract?: string;
  readonly tokenId?: string;
  readonly serial?: string;
  readonly serialKind?: SerialKind;
  /** Who made a thing whose serial no standard knows. */
  readonly maker?: string;
}

export type Asset =
  | {
      readonly kind: 'token';
      readonly chainId: number;
      readonly contract: `0x${string}`;
      readonly tokenId: string;
    }
  | { readonly kind: 'serial'; readonly serialKind: SerialKind; readonly serial: string };

/**
 * One spelling for one asset: lower-case contract, decimal token id without leading zeros, a serial as `readSerial` spells it.
 * @throws AppError bad-request naming the field; for a serial of which the kind is not certain it asks for the kind
 */
export function normaliseAsset(input: AssetInput, path = 'asset'): Asset {
  const { asset, question } = spelledAsset(input, path);
  if (question !== null) throw badField(`${path}.serialKind`, question);
  return asset;
}

/** As {@link normaliseAsset}, but for what others wrote down and nobody can be asked about: a question is only told. */
export function spelledAsset(
  input: AssetInput,
  path = 'asset',
): { readonly asset: Asset; readonly question: string | null } {
  const token = input.contract !== undefined || input.tokenId !== undefined;
  if (token && input.serial !== undefined)
    throw badField(path, 'give contract with tokenId, or a serial, not both');
  if (token) {
    if (!input.contract || !isEvmAddress(input.contract)) {
      throw badField(`${path}.contract`, 'must be 0x and 40 hex digits');
    }
    if (input.tokenId === undefined || input.tokenId === '') throw badField(`${path}.tokenId`, 'is required');
    const asset: Asset = {
      kind: 'token',
      chainId: input.chainId ?? ASSUMED_CHAIN,
      contract: input.contract.toLowerCase() as `0x${string}`,
      tokenId: normaliseTokenId(input.tokenId, `${path}.tokenId`),
    };
    return { asset, question: null };
  }
  if (input.serial === undefined) throw badField(path, 'give contract with tokenId, or a serial');
  // Only where it is said to be one: its dots are not for parting.
  if (input.serialKind === 'name') {
    const { name } = readName(input.serial, `${path}.serial`);
    return { asset: { kind: 'serial', serialKind: 'name', serial: name }, question: null };
  }
  try {
    const { kind, serial, question } = readSerial(input.serial, input.serialKind, input.maker);
    return { asset: { kind: 'serial', serialKind: kind, serial }, question };
  } catch (error) {
    if (error instanceof RangeError) throw badField(`${path}.serial`, error.message);
    throw error;
  }
}

function normaliseTokenId(text: string, path: string): string {
  const decimal = /^[0-9]{1,100}$/.test(text);
  const hex = /^0x[0-9a-fA-F]{1,64}$/.test(text);
  if (!decimal && !hex) throw badField(path, 'must be a decimal number, or 0x and hex digits');
  const id = BigInt(text);
  if (id >= 1n << 256n) throw badField(path, 'must fit in 256 bits');
  return id.toString();
}

/** The asset key: CAIP-19 for tokens, `serial:{kind}:{normalised}` for the rest. */
export function assetKey(asset: Asset): string {
  return asset.kind === 'token'
    ? `eip155:${asset.chainId}/erc721:${asset.contract}/${asset.tokenId}`
    : `serial:${asset.serialKind}:${asset.serial}`;
}

const TOKEN_KEY = /^eip155:([0-9]{1,16})\/erc721:(0x[0-9a-fA-F]{40})\/([0-9]+)$/;
const SERIAL_KEY = /^serial:(vin|imei|isbn|isrc|gtin|name|generic):(.+)$/;

/** Reads an asset key back. @throws AppError bad-request naming `path` */
export function parseAssetKey(key: string, path = 'asset'): Asset {
  const token = TOKEN_KEY.exec(key);
  if (token) {
    return normaliseAsset({ chainId: Number(token[1]), contract: token[2], tokenId: token[3] }, path);
  }
  const serial = SERIAL_KEY.exec(key);
  if (serial) return spelledAsset({ serial: serial[2], serialKind: serial[1] as SerialKind }, path).asset;
  throw badField(path, 'must be an asset key such as eip155:1002/erc721:0x…/17 or serial:vin:…');
}
