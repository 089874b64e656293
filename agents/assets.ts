import { badField } from './errors.ts';
import { isEvmAddress } from './ids.ts';
import { readName } from './names/name.ts';

/** Serial kinds the service knows (ISO 3779 VIN, IMEI, ISBN, ISRC, GTIN, names by ENSIP-15), and the rest. */
export const SERIAL_KINDS = ['vin', 'imei', 'isbn', 'isrc', 'gtin', 'name', 'generic'] as const;
export type SerialKind = (typeof SERIAL_KINDS)[number];

/** An asset as it arrives on the wire: contract with tokenId, or a serial. */
export interface AssetInput {
  readonly chainId?: number;
  readonly contract?: string;
  readonly tokenId?: string;
  readonly serial?: string;
  readonly serialKind?: SerialKind;
}

export type Asset =
  | {
      readonly kind: 'token';
      readonly chainId: number;
      readonly contract: `0x${string}`;
      readonly tokenId: string;
    }
  | { readonly kind: 'serial'; readonly serialKind: SerialKind; readonly serial: string };

const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;
const ISRC = /^[A-Z]{2}[A-Z0-9]{3}[0-9]{7}$/;

/** One spelling for one asset: lower-case contract, decimal token id without leading zeros, bare upper-case serial. */
export function normaliseAsset(input: AssetInput, path = 'asset'): Asset {
  const token = input.contract !== undefined || input.tokenId !== undefined;
  if (token && input.serial !== undefined)
    throw badField(path, 'give contract with tokenId, or a serial, not both');
  if (token) {
    if (!input.contract || !isEvmAddress(input.contract)) {
      throw badField(`${path}.contract`, 'must be 0x and 40 hex digits');
    }
    if (input.tokenId === undefined || input.tokenId === '') throw badField(`${path}.tokenId`, 'is required');
    return {
      kind: 'token',
      chainId: input.chainId ?? 1002,
      contract: input.contract.toLowerCase() as `0x${string}`,
      tokenId: normaliseTokenId(input.tokenId, `${path}.tokenId`),
    };
  }
  if (input.serial === undefined) throw badField(path, 'give contract with tokenId, or a serial');
  // Only where it is said to be one: its dots are not for parting.
  if (input.serialKind === 'name') {
    return { kind: 'serial', serialKind: 'name', serial: readName(input.serial, `${path}.serial`).name };
  }
  const serial = input.serial.toUpperCase().replace(/[\s._/-]/g, '');
  if (!/^[A-Z0-9]{3,64}$/.test(serial)) {
    throw badField(
      `${path}.serial`,
      'must be 3 to 64 letters and digits; spaces, dots, slashes and hyphens may part them',
    );
  }
  const serialKind = input.serialKind ?? recogniseSerial(serial);
  return { kind: 'serial', serialKind, serial: serialKind === 'gtin' ? serial.padStart(14, '0') : serial };
}

function normaliseTokenId(text: string, path: string): string {
  const decimal = /^[0-9]{1,100}$/.test(text);
  const hex = /^0x[0-9a-fA-F]{1,64}$/.test(text);
  if (!decimal && !hex) throw badField(path, 'must be a decimal number, or 0x and hex digits');
  const id = BigInt(text);
  if (id >= 1n << 256n) throw badField(path, 'must fit in 256 bits');
  return id.toString();
}

/** Which register a bare serial belongs to, by form and check digit; `generic` when none is sure. */
export function recogniseSerial(serial: string): SerialKind {
  if (VIN.test(serial)) return 'vin';
  if (/^[0-9]{15}$/.test(serial) && luhn(serial)) return 'imei';
  if (/^97[89][0-9]{10}$/.test(serial) && gtinCheck(serial)) return 'isbn';
  if (/^[0-9]{9}[0-9X]$/.test(serial) && isbn10Check(serial)) return 'isbn';
  if (/^(?:[0-9]{8}|[0-9]{12}|[0-9]{13}|[0-9]{14})$/.test(serial) && gtinCheck(serial)) return 'gtin';
  if (ISRC.test(serial)) return 'isrc';
  return 'generic';
}

/** Luhn check (ISO/IEC 7812-1), as IMEIs carry it. */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const d = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? d : d < 5 ? d * 2 : d * 2 - 9;
  }
  return sum % 10 === 0;
}

/** GS1 mod-10 check digit over 8, 12, 13 or 14 digits. */
export function gtinCheck(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++)
    sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}

/** ISBN-10 check digit (ISO 2108). */
export function isbn10Check(isbn: string): boolean {
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (isbn[i] === 'X' ? 10 : Number(isbn[i])) * (10 - i);
  return sum % 11 === 0;
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
  if (serial) return normaliseAsset({ serial: serial[2], serialKind: serial[1] as SerialKind }, path);
  throw badField(path, 'must be an asset key such as eip155:1002/erc721:0x…/17 or serial:vin:…');
}
