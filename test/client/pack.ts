import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENTRIES = ['client', 'guard', 'mcp', 'verify'] as const;

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: object;
}

/**
 * Makes the two tarballs: the service, and the light library for other people's programs, which needs no other package.
 * @param into the folder for the tarballs and what they are made of; emptied first
 * @returns the paths of the tarballs
 */
export async function pack(into: string): Promise<{ service: string; client: string }> {
  rmSync(into, { recursive: true, force: true });
  const folder = join(into, 'client');
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...ENTRIES, 'mcp/stdio'].map((name) => `client/${name}.ts`),
    outbase: 'client',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    external: ['node:*'],
    target: 'es2022',
    outdir: folder,
    metafile: true,
  });
  declarations(folder);
  const { version, license, engines } = JSON.parse(read('package.json')) as Manifest;
  const manifest = {
    name: '@safe-handshake/client',
    version,
    license,
    engines,
    description: 'Asks a Safe Handshake service, verifies its records offline, and guards x402 payments.',
    type: 'module',
    sideEffects: false,
    exports: Object.fromEntries(
      ENTRIES.map((name) => [
        name === 'client' ? '.' : `./${name}`,
        { types: `./types/client/${name}.d.ts`, default: `./${name}.js` },
      ]),
    ),
    bin: { 'safe-handshake-mcp': './mcp-bridge.js' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(
    join(folder, 'mcp-bridge.js'),
    "#!/usr/bin/env node\nimport { bridgeStdio } from './mcp/stdio.js';\nawait bridgeStdio(process);\n",
  );
  writeFileSync(join(folder, 'LICENSES.txt'), licenses(metafile));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, 'docs/client.md'), join(folder, 'README.md'));
  return { service: npmPack(ROOT, into), client: npmPack(folder, into) };
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function npmPack(from: string, into: string): string {
  const args = ['pack', from, '--pack-destination', into, '--json', '--ignore-scripts'];
  const told = execFileSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(told) as [{ filename: string }];
  return join(into, filename);
}

/** The types of the entries and of what they name, as the compiler writes them, under the names of the scripts. */
function declarations(folder: string): void {
  const config = join(folder, 'tsconfig.json');
  const out = join(folder, 'types');
  const compilerOptions = {
    ...{
      noEmit: false,
      incremental: false,
      tsBuildInfoFile: null,
      emitDeclarationOnly: true,
      declaration: true,
    },
    ...{ rootDir: ROOT, outDir: out, typeRoots: [join(ROOT, 'node_modules/@types')] },
  };
  const files = ENTRIES.map((name) => join(ROOT, `client/${name}.ts`));
  writeFileSync(
    config,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config], {
    cwd: ROOT,
  });
  rmSync(config);
  for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(out, name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/(from '|import\(')(\.[^']+)\.ts'/g, "$1$2.js'"));
  }
}

/** The licences of the libraries that are bundled, each once. */
function licenses({ inputs }: Metafile): string {
  const roots = new Set(
    Object.keys(inputs).flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  return [...roots]
    .sort()
    .map((root) => {
      const { name, version, license } = JSON.parse(read(`${root}/package.json`)) as Record<string, string>;
      const file = readdirSync(join(ROOT, root)).find((f) => /^licen[cs]e/i.test(f));
      return `${name} ${version} (${license})\n\n${file ? read(`${root}/${file}`) : ''}`;
    })
    .join('\n\n---\n\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const made = await pack(join(ROOT, 'dist'));
  process.stdout.write(`${made.service}\n${made.client}\n`);
}
