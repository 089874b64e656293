import { assetKey, normaliseAsset, SERIAL_KINDS, type SerialKind } from '../assets.ts';
import { serialForm } from '../determinations/provenance/serial-form.ts';
import { AppError } from '../errors.ts';

/** The key under which a serial is listed, pledged and looked up, or why it can have none. */
export type GoodsKey = { readonly key: string; readonly kind: SerialKind } | { readonly refused: string };

/** Reads one serial. A form that the standard of its kind excludes is refused. @param value such as `{ serial, serialKind?, maker? }` */
export function goodsKey(value: unknown): GoodsKey {
  const { serial, serialKind, maker, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(others);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { refused: 'line: must be a JSON object' };
  if (unknown !== undefined) return { refused: `${unknown}: is not a field of this form` };
  if (typeof serial !== 'string') return { refused: 'serial: must be text' };
  if (maker !== undefined && typeof maker !== 'string') return { refused: 'maker: must be text' };
  const kind = SERIAL_KINDS.find((k) => k === serialKind);
  if (serialKind !== undefined && kind === undefined)
    return { refused: `serialKind: must be one of ${SERIAL_KINDS.join(', ')}` };
  try {
    const asset = normaliseAsset(
      {
        serial,
        ...(kind === undefined ? {} : { serialKind: kind }),
        ...(maker === undefined ? {} : { maker }),
      },
      '',
    );
    if (asset.kind !== 'serial') return { refused: 'serial: is no serial' };
    const form = serialForm(asset.serialKind, asset.serial);
    if (form.outcome === 'FLAG') return { refused: `serial: ${form.says}` };
    return { key: assetKey(asset), kind: asset.serialKind };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: error.message.replace(/^\./, '') };
  }
}
