import type { Asset } from '../assets.ts';
import { type Canonical, canonical, recognised } from './canonical.ts';
import { isbn10Check } from './check-digits.ts';

/**
 * Keys under which others may have written down the same thing with less said about it: digits without a kind, or a number
 * without its maker. What stands there may be this thing, and may be another.
 */
export function vagueKeys(asset: Asset): string[] {
  if (asset.kind === 'token') return [];
  const { serialKind: kind, serial } = asset;
  if (kind === 'imei') return [`serial:generic:${serial.slice(0, 14)}`];
  if (kind === 'vin') return [`serial:generic:${serial}`];
  if (kind === 'gtin') return shorter(serial).map((digits) => `serial:generic:${digits}`);
  if (kind === 'isbn') return tenOf(serial).map((digits) => `serial:generic:${digits}`);
  if (kind !== 'generic') return [];
  const [, number] = /^[A-Z0-9]+:(.+)$/.exec(serial) ?? [];
  return [
    ...(number === undefined ? [] : [`serial:generic:${number}`]),
    ...standardReadings(number ?? serial).map((read) => `serial:${read.kind}:${read.serial}`),
  ];
}

/** A GTIN in the lengths that it has without the noughts in front. */
function shorter(gtin: string): string[] {
  return [14, 13, 12, 8].map((n) => gtin.slice(-n)).filter((digits) => Number(digits) === Number(gtin));
}

/** The ten digits of a book whose thirteen begin with 978. */
function tenOf(isbn: string): string[] {
  const nine = /^978([0-9]{9})/.exec(isbn)?.[1];
  if (nine === undefined) return [];
  return [...'0123456789X'].map((check) => `${nine}${check}`).filter(isbn10Check);
}

/** What a number whose kind nobody knows would be as one of a standard: whoever hides a phone calls its number a maker's. */
function standardReadings(bare: string): Canonical[] {
  const read = recognised(bare);
  if (read === null) return [];
  if ('kind' in read) return [read];
  return read.either.filter((kind) => kind !== 'generic').map((kind) => canonical(kind, bare));
}
