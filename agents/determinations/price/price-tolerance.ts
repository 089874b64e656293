import { parseAssetKey } from '../../assets.ts';
import type { Similarity } from '../../market/comparables.ts';

/**
 * How far off the median a price must lie before it is flagged: above `above` per cent of it, or so far below that
 * the median is above `above` per cent of the price.
 */
export interface Tolerance {
  readonly above: bigint;
  /** What the sales may differ by and still be honest. */
  readonly because: string;
}

const SAME: Tolerance = { above: 167n, because: 'one thing, or one model, is sold at most so differently' };
/**
 * Pieces of one collection, and recordings of one label, are different goods: a rare one is worth a multiple of a plain
 * one, and the first rare one is sold when only plain ones were (Mekacher et al., "Heterogeneous rarity patterns drive
 * price dynamics in NFT collections", Scientific Reports 2022).
 */
const ASSORTED: Tolerance = { above: 300n, because: 'its pieces are different goods' };

/** Serials of which one kind is one model. */
const MODELS: ReadonlySet<string> = new Set(['vin', 'imei']);

/**
 * By how near the sales are, and what they are sales of. Null where no distance is a finding: goods of one category have
 * nothing but the category in common.
 * @param subject the asset's key; null where only the category is known
 */
export function toleranceOf(similarity: Similarity, subject: string | null): Tolerance | null {
  if (similarity === 'same-category') return null;
  if (similarity === 'same-asset') return SAME;
  const asset = subject === null ? null : parseAssetKey(subject);
  return asset?.kind === 'serial' && MODELS.has(asset.serialKind) ? SAME : ASSORTED;
}
