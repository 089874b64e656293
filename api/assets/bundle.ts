import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { type BundledFile, keepBundle, keptBundle } from './kept-bundle.ts';

/** One file as browsers get it. Its name contains a hash of its bytes, so it never changes under that name. */
export interface Asset {
  /** `page-3F2A.js`: what stands after `/assets/`. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
}

export interface Assets {
  readonly byName: ReadonlyMap<string, Asset>;
  /** The path under which a source such as `page.js`, `page.css` or `mark.svg` is served. @throws Error when unknown */
  path(source: string): string;
}

const BROWSER = fileURLToPath(new URL('../browser/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

let made: Assets | undefined;

/** The scripts, style sheets and pictures of the pages, read once for each process. */
export function assets(): Assets {
  made ??= makeAssets();
  return made;
}

function makeAssets(): Assets {
  const all = [...bundled(), ...pictures()];
  const names = new Map(all.map(({ source, asset }) => [source, asset.name]));
  return {
    byName: new Map(all.map(({ asset }) => [asset.name, asset])),
    path(source) {
      const name = names.get(source);
      if (name === undefined) throw new Error(`api/browser has no ${source}`);
      return `/assets/${name}`;
    },
  };
}

interface Made {
  readonly source: string;
  readonly asset: Asset;
}

/** The entries of `api/browser`, bundled with what they import. A chunk that is loaded later has no source of its own. */
function bundled(): Made[] {
  const files = keptBundle() ?? bundle();
  return files.map(({ name, bytes, gzip }) => ({
    source: name.replace(/-[A-Z0-9]{8}(?=\.\w+$)/, ''),
    asset: { name, type: typeOf(name), bytes, gzip },
  }));
}

function bundle(): BundledFile[] {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: BROWSER,
    entryPoints: ['page.ts', 'styles/page.css'],
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2022'],
    minify: true,
    legalComments: 'none',
    outdir: '/assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    write: false,
    metafile: true,
    logLevel: 'silent',
    // Settings of the project are for Node; the browser needs none of them.
    tsconfigRaw: {},
  });
  const files = outputFiles.map(({ path, contents }) => {
    const bytes = Buffer.from(contents);
    return { name: basename(path), bytes, gzip: packed(bytes) };
  });
  keepBundle(
    Object.keys(metafile.inputs).map((path) => join(BROWSER, path)),
    files,
  );
  return files;
}

function pictures(): Made[] {
  const folder = join(BROWSER, 'static');
  return readdirSync(folder).map((source) => {
    const bytes = readFileSync(join(folder, source));
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const kind = extname(source);
    const name = `${basename(source, kind)}-${hash}${kind}`;
    return { source, asset: { name, type: typeOf(name), bytes, gzip: packed(bytes) } };
  });
}

function packed(bytes: Buffer): Buffer {
  return gzipSync(bytes, { level: 9 });
}

function typeOf(name: string): string {
  const type = TYPES[extname(name)];
  if (type === undefined) throw new Error(`${name} is of no kind that is served`);
  return type;
}
