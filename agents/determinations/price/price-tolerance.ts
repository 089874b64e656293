import { parseAssetKey } from '../../assets.ts';
import type { Similarity } from '../../market/pricing/comparables.ts';

/**
 * How far from the median a price must be to be flagged: above `above` percent of it, or so far below that the median
 * is above `above` percent of the price.
 */
export interface Tolerance {
  readonly above: bigint;
  /** Why honest sales may differ by this much. */
  readonly because: string;
}

const SAME: Tolerance = { above: 167n, because: 'one thing, or one model, is sold at most so differently' };
/**
 * Pieces of one collection, and recordings of one label, are different goods. A rare one is worth a multiple of a plain
 * one, and the first rare one is sold when only plain ones were sold before (Mekacher et al., "Heterogeneous rarity
 * patterns drive price dynamics in NFT collections", Scientific Reports 2022).
 */
const ASSORTED: Tolerance = { above: 300n, because: 'its pieces are different goods' };

/** Kinds of serials for which the same kind means the same model. */
const MODELS: ReadonlySet<string> = new Set(['vin', 'imei']);

/**
 * The tolerance for sales of this similarity and this kind of thing. Null when no distance is a finding: goods of one
 * category have nothing but the category in common.
 * @param subject the asset's key; null when only the category is known
 */
export function toleranceOf(similarity: Similarity, subject: string | null): Tolerance | null {
  if (similarity === 'same-category') return null;
  if (similarity === 'same-asset') return SAME;
  const asset = subject === null ? null : parseAssetKey(subject);
  return asset?.kind === 'serial' && MODELS.has(asset.serialKind) ? SAME : ASSORTED;
}
