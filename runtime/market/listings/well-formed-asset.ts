import { type Asset, type AssetInput, normaliseAsset } from '../../../agents/assets.ts';
import { serialForm } from '../../../agents/determinations/provenance/serial-form.ts';
import { badField } from '../../../agents/errors.ts';

/**
 * An asset that may be listed and pledged.
 * @throws AppError bad-request, also for a serial that the standard of its kind rules out
 */
export function wellFormedAsset(input: AssetInput): Asset {
  const asset = normaliseAsset(input);
  if (asset.kind === 'token') return asset;
  const { outcome, says } = serialForm(asset.serialKind, asset.serial);
  if (outcome === 'FLAG') throw badField('asset.serial', `is no ${asset.serialKind}: ${says}`);
  return asset;
}
