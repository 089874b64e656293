import { type Asset, assetKey } from '../assets.ts';

export type SerialAsset = Extract<Asset, { kind: 'serial' }>;
export type TokenAsset = Extract<Asset, { kind: 'token' }>;

/** What a certificate is worth: said wherever one is shown, because no chain can say more. */
export const CERTIFICATE_LIMIT =
  "This certificate stands on its first holder's signed word: no chain proves who has the thing, that it exists, or its condition.";

/** ERC-721 metadata of a certificate (EIP-721, "ERC721 Metadata JSON Schema"). */
export interface CertificateMetadata {
  readonly name: string;
  readonly description: string;
  readonly image: string;
  readonly external_url: string;
  readonly attributes: readonly { readonly trait_type: string; readonly value: string }[];
}

export type CertificateState = 'live' | 'void' | 'retired';

/** @param url where the certificate itself is served */
export function certificateMetadata(
  serial: SerialAsset,
  state: CertificateState,
  url: string,
): CertificateMetadata {
  return {
    name: `Certificate of ${serial.serialKind.toUpperCase()} ${serial.serial}`,
    description: `Stands for the ${serial.serialKind === 'name' ? 'name' : 'real-world lot'} ${assetKey(serial)}. ${CERTIFICATE_LIMIT}`,
    image: `data:image/svg+xml,${encodeURIComponent(certificatePicture(serial, state))}`,
    external_url: url,
    attributes: [
      { trait_type: 'serial kind', value: serial.serialKind },
      { trait_type: 'serial', value: serial.serial },
      { trait_type: 'state', value: state },
    ],
  };
}

/** A small card with the serial on it. A normalised serial is letters and digits alone, and a name by ENSIP-15 has no sign of markup: nothing needs escaping. */
function certificatePicture(serial: SerialAsset, state: CertificateState): string {
  const size = Math.min(22, Math.floor(560 / Math.max(serial.serial.length, 1)));
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 250" font-family="monospace" text-anchor="middle">',
    '<rect width="400" height="250" rx="12" fill="#f6f4ee"/>',
    '<rect x="10" y="10" width="380" height="230" rx="8" fill="none" stroke="#1d3557" stroke-width="2"/>',
    '<text x="200" y="60" font-size="16" fill="#1d3557">CERTIFICATE OF A LOT</text>',
    `<text x="200" y="115" font-size="14" fill="#555">${serial.serialKind.toUpperCase()}</text>`,
    `<text x="200" y="150" font-size="${size}" fill="#111">${serial.serial}</text>`,
    `<text x="200" y="205" font-size="12" fill="#555">${state === 'live' ? "on its first holder's signed word" : state.toUpperCase()}</text>`,
    '</svg>',
  ].join('');
}
