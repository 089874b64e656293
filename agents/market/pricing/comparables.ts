import { type Asset, assetKey, normaliseAsset } from '../../assets.ts';
import type { Category } from '../../categories.ts';
import type { Attributes } from './model/attributes.ts';

/**
 * How closely a sale resembles the thing that is priced: the same thing, another one of its kind, or goods of its
 * category.
 */
export const SIMILARITIES = ['same-asset', 'same-kind', 'same-category'] as const;
export type Similarity = (typeof SIMILARITIES)[number];

/** A sale that took place. Asks, bids and limits are not comparables. */
export interface Comparable {
  readonly id: string;
  /** Where the sale was reported: this platform's settled deals, or the name of an imported list. */
  readonly source: string;
  /** ISO 8601. */
  readonly soldAt: string;
  /** Dollars, decimal string. */
  readonly priceUsd: string;
  readonly similarity: Similarity;
  /**
   * Why the sale is shown but not weighed: a finding on the trade, a repeated trade of one pair, a party to this deal, or
   * two sides with each other's money.
   */
  readonly dropped: 'flagged' | 'repeat' | 'party' | 'related' | null;
  /** How much it counts where its sides are close, 0 to 1; absent where they are not, and in evidence of before. */
  readonly weight?: number;
  /** What was told of the thing sold; absent where nothing was, and in evidence of earlier releases. */
  readonly attributes?: Attributes;
}

/** Past this age a sale says nothing about today. */
const MAX_AGE_DAYS = 365;
const HALF_LIVES = 8;

/** Days in which a sale loses half its weight. */
export function halfLifeDays(category: string): number {
  return category === ('travel-and-perishables' satisfies Category) ? 7 : 90;
}

/** Sales older than this many days are left out. */
export function reachDays(category: string): number {
  return Math.min(MAX_AGE_DAYS, HALF_LIVES * halfLifeDays(category));
}

/**
 * The kind of an asset, derived from its identity alone: a token's collection, a vehicle's maker, model and year (ISO
 * 3779 positions 1 to 8 and 10), a telephone's type allocation code, a recording's registrant. Null when the identity
 * does not tell. The seller's description never decides it, because the seller can write anything there.
 */
export function kindOf(asset: Asset): string | null {
  if (asset.kind === 'token') return `eip155:${asset.chainId}/erc721:${asset.contract}`;
  const { serial, serialKind } = asset;
  if (serialKind === 'vin' && serial.length === 17)
    return `kind:vin:${serial.slice(0, 8)}${serial.slice(9, 10)}`;
  if (serialKind === 'imei' && serial.length === 15) return `kind:imei:${serial.slice(0, 8)}`;
  if (serialKind === 'isrc' && serial.length === 12) return `kind:isrc:${serial.slice(0, 5)}`;
  return null;
}

/** The prefix of the keys of all assets of the same kind; other kinds may have it as well. */
export function kindPrefix(asset: Asset): string {
  if (asset.kind === 'token') return `eip155:${asset.chainId}/erc721:${asset.contract}/`;
  const length = { vin: 8, imei: 8, isrc: 5, isbn: 32, gtin: 32, name: 128, generic: 64 }[asset.serialKind];
  return `serial:${asset.serialKind}:${asset.serial.slice(0, length)}`;
}

/**
 * What an imported row is a sale of: an asset named by its key or serial, a collection, or a text that identifies
 * nothing.
 */
export function itemIdentity(item: string): { readonly key: string | null; readonly kind: string | null } {
  const text = item.trim();
  const collection = /^eip155:([0-9]{1,16})\/erc721:(0x[0-9a-fA-F]{40})$/.exec(text);
  if (collection) return { key: null, kind: text.toLowerCase() };
  const token = /^eip155:([0-9]{1,16})\/erc721:(0x[0-9a-fA-F]{40})\/([0-9]{1,78})$/.exec(text);
  const serial = /^serial:(vin|imei|isbn|isrc|gtin|generic):(.{1,128})$/i.exec(text);
  const bare = /^[A-Za-z0-9-]{8,24}$/.test(text) ? text : null;
  try {
    const asset = token
      ? normaliseAsset({ chainId: Number(token[1]), contract: token[2], tokenId: token[3] })
      : serial
        ? normaliseAsset({ serial: serial[2], serialKind: serial[1]!.toLowerCase() as 'vin' })
        : bare === null
          ? null
          : normaliseAsset({ serial: bare });
    // A bare word that passes no serial's check digit or form is a name, not an identity.
    if (asset === null || (bare !== null && asset.kind === 'serial' && asset.serialKind === 'generic'))
      return { key: null, kind: null };
    return { key: assetKey(asset), kind: kindOf(asset) };
  } catch {
    return { key: null, kind: null };
  }
}
