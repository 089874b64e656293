import { ens_normalize } from '@adraffy/ens-normalize';
import { badField } from '../errors.ts';

/** A name in its normalised spelling (ENSIP-15), with its labels. */
export interface Name {
  readonly name: string;
  readonly labels: readonly string[];
  /** The last label; a top-level name's own. */
  readonly tld: string;
}

/** Short enough for a certificate on chain and, percent-encoded, for one segment of a path. */
const MAX_BYTES = 80;
const KEY = 'serial:name:';

/**
 * Normalises a name by ENSIP-15, so that upper case, lookalike letters of other scripts and invisible characters cannot
 * give one name two spellings, or two names one.
 * @throws AppError bad-request that names `path`
 */
export function readName(text: string, path = 'name'): Name {
  if (text === '') throw badField(path, 'is required, such as alice.x');
  if (text.length > 4 * MAX_BYTES) throw badField(path, `must be at most ${MAX_BYTES} bytes`);
  let name: string;
  try {
    name = ens_normalize(text);
  } catch (error) {
    // The library puts direction marks around what it quotes, for terminals.
    const why = (error as Error).message.replace(/[\u200e\u200f]/g, '');
    throw badField(path, `must be a name by ENSIP-15: ${why}`);
  }
  if (new TextEncoder().encode(name).length > MAX_BYTES) {
    throw badField(path, `must be at most ${MAX_BYTES} bytes`);
  }
  const labels = name.split('.');
  return { name, labels, tld: labels.at(-1) as string };
}

/** True for the asset key of a name, or the beginning of one. */
export function isNameLot(assetKey: string): boolean {
  return assetKey.startsWith(KEY);
}

/** The asset key of a name. */
export function nameKey({ name }: Pick<Name, 'name'>): string {
  return KEY + name;
}

/** The name in an asset key; null when the key is not of a name. */
export function nameOf(assetKey: string): string | null {
  return isNameLot(assetKey) ? assetKey.slice(KEY.length) : null;
}
