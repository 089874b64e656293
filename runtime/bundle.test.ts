import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = new URL('..', import.meta.url).pathname;
const LIBRARY = 'node_modules/commander';
const SOURCES = ['agents', 'api', 'chain', 'client', 'runtime', 'store', 'package.json', 'tsconfig.json'];

/** The project a second time, with the same libraries and a place of its own for bundles. */
let above = '';
let copy = '';
beforeAll(() => {
  above = mkdtempSync(join(tmpdir(), 'bundled-'));
  copy = join(above, 'copy');
  for (const name of SOURCES) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((each) => !each.startsWith('.')))
    symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name));
  // One of its own, which an installation may move.
  rmSync(join(copy, LIBRARY));
  cpSync(join(ROOT, LIBRARY), join(copy, LIBRARY), { recursive: true });
});
afterAll(() => rmSync(above, { recursive: true, force: true }));

const cache = () => join(copy, 'node_modules/.cache/safe-handshake');
const bundles = () => readdirSync(cache());

async function versionTold(env: Record<string, string> = {}): Promise<string> {
  const args = [join(copy, 'runtime/bin.mjs'), '--version'];
  return (await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })).stdout;
}

describe('the bundled program', () => {
  it('is made once, whoever asks for it at the same time', async () => {
    const told = await Promise.all([versionTold(), versionTold(), versionTold()]);
    expect(new Set(told)).toEqual(new Set([expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]));
    expect(bundles()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    await versionTold();
    expect(bundles()).toHaveLength(1);
  });

  it('is made again when a source was changed', async () => {
    appendFileSync(join(copy, 'runtime/handshake.ts'), "process.stdout.write('changed\\n');\n");
    expect(await versionTold()).toContain('changed');
    expect(bundles()).toHaveLength(2);
  });

  it('is made again when a library has another place, or other files', async () => {
    const [here, there] = [copy, above].map((folder) => join(folder, LIBRARY));
    mkdirSync(join(above, 'node_modules'));
    renameSync(here!, there!);
    expect(await versionTold()).toMatch(/^\d/);

    const description = join(there!, 'package.json');
    const { exports: _, ...said } = JSON.parse(readFileSync(description, 'utf8'));
    renameSync(join(there!, 'esm.mjs'), join(there!, 'other.mjs'));
    writeFileSync(description, JSON.stringify({ ...said, exports: './other.mjs' }));
    expect(await versionTold()).toMatch(/^\d/);
  });

  it('is made for the process alone, and leaves nothing, where nothing can be kept', async () => {
    rmSync(join(copy, 'node_modules/.cache'), { recursive: true });
    writeFileSync(join(copy, 'node_modules/.cache'), 'no folder');
    const own = mkdtempSync(join(copy, 'tmp-'));
    expect(await versionTold({ TMPDIR: own })).toMatch(/^\d+\.\d+\.\d+\n/);
    expect(readdirSync(own)).toEqual([]);
  });
});
