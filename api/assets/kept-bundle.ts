import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from 'esbuild';

/** A file of the bundle for browsers, as it is and packed for the way. */
export interface BundledFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
}

interface Kept {
  /** A hash of all that it was made of. */
  readonly key: string;
  /** The paths of the files that it was made of. */
  readonly inputs: readonly string[];
  readonly files: readonly { readonly name: string; readonly bytes: string; readonly gzip: string }[];
}

/** Beside the libraries: who may write here may write those, too, so a bundle is trusted as they are. */
const KEPT = fileURLToPath(
  new URL('../../node_modules/.cache/safe-handshake-pages/bundle.json', import.meta.url),
);
/** It says how the bundle is made. */
const MAKER = fileURLToPath(new URL('./bundle.ts', import.meta.url));

/**
 * The bundle that was made last, if whatever it was made of is still the same; null if not.
 * @param place where it is kept
 */
export function keptBundle(place = KEPT): BundledFile[] | null {
  try {
    const kept = JSON.parse(readFileSync(place, 'utf8')) as Kept;
    if (keyOf(kept.inputs) !== kept.key) return null;
    return kept.files.map(({ name, bytes, gzip }) => ({
      name,
      bytes: Buffer.from(bytes, 'base64'),
      gzip: Buffer.from(gzip, 'base64'),
    }));
  } catch {
    // None was kept, or it cannot be read, or a file of it is gone: it is made anew.
    return null;
  }
}

/**
 * Keeps a bundle for the next process. Where it cannot be written, each process makes its own.
 * @param inputs the paths of the files that it was made of
 */
export function keepBundle(inputs: readonly string[], files: readonly BundledFile[], place = KEPT): void {
  const kept: Kept = {
    key: keyOf(inputs),
    inputs,
    files: files.map(({ name, bytes, gzip }) => ({
      name,
      bytes: bytes.toString('base64'),
      gzip: gzip.toString('base64'),
    })),
  };
  // Whoever reads it meanwhile reads the one before.
  const own = `${place}.${process.pid}`;
  try {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(own, JSON.stringify(kept));
    renameSync(own, place);
  } catch {
    // Read-only, or another user's.
  }
}

function keyOf(inputs: readonly string[]): string {
  const hash = createHash('sha256').update(version);
  for (const path of [MAKER, ...inputs]) {
    const bytes = readFileSync(path);
    hash.update(`\0${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
