import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { manifest } from './manifest.ts';
import { zip } from './zip.ts';

const ROOM = fileURLToPath(new URL('.', import.meta.url));
const PAGES = ['confirm.html', 'options.html', 'style.css'];
const SCRIPTS = {
  background: 'background/main.ts',
  content: 'content/main.ts',
  page: 'page/main.ts',
  confirm: 'ui/confirm.ts',
  options: 'ui/options.ts',
} as const;

export interface BuildOptions {
  /** The folder that is made anew. */
  readonly folder: string;
  /** Base address of the service that is asked. */
  readonly service: string;
  /** The key that signs that service's lists; null: the first lists that are fetched say it. */
  readonly signer: string | null;
}

/** Builds the extension as browsers load it. @returns the same as a zip archive */
export function buildExtension({ folder, service, signer }: BuildOptions): Buffer {
  const { version } = JSON.parse(readFileSync(join(ROOM, '../package.json'), 'utf8')) as { version: string };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest(version), null, 2));
  for (const page of PAGES) cpSync(join(ROOM, 'ui', page), join(folder, page));
  buildSync({
    absWorkingDir: ROOM,
    entryPoints: Object.entries(SCRIPTS).map(([out, path]) => ({ in: path, out })),
    bundle: true,
    format: 'iife',
    target: ['chrome119'],
    platform: 'browser',
    minify: true,
    legalComments: 'none',
    // Functions in strict mode tell no page who called them, and with what.
    banner: { js: '"use strict";' },
    define: { BUILT_FOR: JSON.stringify({ service, signer }) },
    outdir: folder,
    logLevel: 'silent',
    tsconfigRaw: {},
  });
  const names = ['manifest.json', ...PAGES, ...Object.keys(SCRIPTS).map((name) => `${name}.js`)];
  return zip(names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) })));
}
