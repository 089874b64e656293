import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';

let folder: ServiceFolder;

beforeAll(async () => {
  folder = await serviceFolder();
});
afterAll(() => folder?.remove());

/** The relative path of every file and folder in the data folder, including itself. */
function everything(): string[] {
  const below = readdirSync(folder.dataDir, { recursive: true, encoding: 'utf8' });
  return ['', ...below];
}

/** Postgres does not run as root; if the service does, Postgres' group may pass through these two folders. */
const PASSABLE = process.getuid?.() === 0 ? ['', 'postgres'] : [];

/** Everything that others than the service's user may read, write or enter, with its mode. */
function wider(): string[] {
  return everything().flatMap((path) => {
    const found = lstatSync(join(folder.dataDir, path), { throwIfNoEntry: false });
    // Skips files that have gone in the meantime, and links, whose own mode does not matter.
    if (!found || found.isSymbolicLink()) return [];
    const mode = found.mode & 0o777;
    const allowed = (found.isDirectory() ? 0o700 : 0o600) | (PASSABLE.includes(path) ? 0o010 : 0);
    if (PASSABLE.includes(path) && (mode & 0o010) !== 0) expect(found.gid).not.toBe(0);
    return (mode & ~allowed) === 0
      ? []
      : [`${mode.toString(8)} ${relative('', path) || '(the data folder)'}`];
  });
}

describe('the data folder of a service', () => {
  it('cannot be read by anybody else while it runs or afterwards: secrets, cards, chains, database, logs', async () => {
    const service = await folder.start();
    const names = everything();
    for (const expected of [
      'secrets.json',
      'card-processor.json',
      'running.json',
      'service.lock',
      'chain-1002/anvil.log',
      'postgres/password',
      'postgres/service-password',
      'postgres/log',
      'postgres/cluster/PG_VERSION',
    ])
      expect(names).toContain(expected);
    expect(wider()).toEqual([]);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(everything()).toContain('chain-1002/exit-state.json');
    expect(wider()).toEqual([]);
  });

  it('is closed again at the next start if a copy or an earlier release left it open', async () => {
    const opened = everything().filter((path) => !path.startsWith('postgres/cluster/'));
    for (const path of opened) {
      const found = lstatSync(join(folder.dataDir, path));
      // Postgres itself does not start on a cluster to which others may write.
      if (found.isSymbolicLink() || path === 'postgres/cluster') continue;
      chmodSync(join(folder.dataDir, path), found.isDirectory() ? 0o755 : 0o644);
    }
    expect(wider().length).toBeGreaterThan(10);
    const service = await folder.start();
    expect(wider()).toEqual([]);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(wider()).toEqual([]);
  });
});
