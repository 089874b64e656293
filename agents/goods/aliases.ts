import type { Asset } from '../assets.ts';

/**
 * Keys under which others may have written down the same thing with less said about it: digits without a kind, or a number
 * without its maker. What stands there may be this thing, and may be another.
 */
export function vagueKeys(asset: Asset): string[] {
  if (asset.kind === 'token') return [];
  const { serialKind: kind, serial } = asset;
  if (kind === 'imei') return [`serial:generic:${serial.slice(0, 14)}`];
  if (kind === 'gtin' || kind === 'vin') return [`serial:generic:${serial}`];
  const [, number] = /^[A-Z0-9]+:(.+)$/.exec(kind === 'generic' ? serial : '') ?? [];
  return number === undefined ? [] : [`serial:generic:${number}`];
}
