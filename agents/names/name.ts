import { ens_normalize } from '@adraffy/ens-normalize';
import { badField } from '../errors.ts';

/** A name as it is known here: one spelling (ENSIP-15), its labels, and the last of them. */
export interface Name {
  readonly name: string;
  readonly labels: readonly string[];
  /** The last label; of a top-level name, the name itself. */
  readonly tld: string;
}

/** Fits a certificate on chain and, percent-encoded, one segment of a path. */
const MAX_BYTES = 80;
const KEY = 'serial:name:';

/**
 * Reads a name into its one spelling, by ENSIP-15: letters of either case, looks-alike scripts mixed into one label
 * and invisible signs never make two names of one, or one of two.
 * @throws AppError bad-request naming `path`
 */
export function readName(text: string, path = 'name'): Name {
  if (text === '') throw badField(path, 'is required, such as alice.x');
  if (text.length > 4 * MAX_BYTES) throw badField(path, `must be at most ${MAX_BYTES} bytes`);
  let name: string;
  try {
    name = ens_normalize(text);
  } catch (error) {
    // Its sentences quote what they speak of between direction marks, for a terminal.
    const why = (error as Error).message.replace(/[\u200e\u200f]/g, '');
    throw badField(path, `must be a name by ENSIP-15: ${why}`);
  }
  if (new TextEncoder().encode(name).length > MAX_BYTES) {
    throw badField(path, `must be at most ${MAX_BYTES} bytes`);
  }
  const labels = name.split('.');
  return { name, labels, tld: labels.at(-1) as string };
}

/** Whether a lot is a name: an asset key, or the start of one. */
export function isNameLot(assetKey: string): boolean {
  return assetKey.startsWith(KEY);
}

/** The asset key of a name. */
export function nameKey({ name }: Pick<Name, 'name'>): string {
  return KEY + name;
}

/** The name behind an asset key; null when it is none of a name. */
export function nameOf(assetKey: string): string | null {
  return isNameLot(assetKey) ? assetKey.slice(KEY.length) : null;
}

/** A name where only ASCII may stand: as it is where it is plain, else without its other letters. */
export function plainly(name: string): string {
  return /^[a-z0-9.-]+$/.test(name) ? name : 'a name';
}
