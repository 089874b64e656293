import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCardState } from '../embedded/card/state.ts';
import { tightenDataDir } from './private-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'private-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (...path: string[]): string => (statSync(join(folder, ...path)).mode & 0o777).toString(8);

describe('a data folder', () => {
  it('that was left open is closed: its files, its chains, its database, itself', () => {
    const files = ['secrets.json', 'card-processor.json', 'chain-1002/cache/a', 'postgres/password'];
    mkdirSync(join(folder, 'chain-1002/cache'), { recursive: true });
    mkdirSync(join(folder, 'postgres'));
    for (const file of files) writeFileSync(join(folder, file), 'x');
    for (const path of ['', 'chain-1002', 'chain-1002/cache', 'postgres'])
      chmodSync(join(folder, path), 0o777);
    for (const file of files) chmodSync(join(folder, file), 0o666);
    tightenDataDir(folder);
    expect(files.map((file) => modeOf(file))).toEqual(files.map(() => '600'));
    expect(['', 'chain-1002', 'chain-1002/cache', 'postgres'].map((path) => modeOf(path))).toEqual(
      Array(4).fill('700'),
    );
  });

  it('that is shared with others, and what a link leads to, are left as they are', () => {
    const shared = join(folder, 'shared');
    mkdirSync(shared);
    writeFileSync(join(folder, 'theirs'), 'x');
    chmodSync(join(folder, 'theirs'), 0o644);
    symlinkSync(join(folder, 'theirs'), join(shared, 'secrets.json'));
    chmodSync(shared, 0o1777);
    tightenDataDir(shared);
    expect([modeOf('shared'), modeOf('theirs')]).toEqual(['777', '644']);
  });

  it("keeps who paid by card from others, whatever the process's umask", async () => {
    const cards = await openCardState(folder);
    await cards.write();
    chmodSync(join(folder, 'card-processor.json'), 0o644);
    await cards.write();
    expect(modeOf('card-processor.json')).toBe('600');
  });
});
