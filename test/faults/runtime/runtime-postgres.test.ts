import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmbeddedServer, startPostgres } from '../../../store/embedded.ts';
import { queryOnce } from '../../fixtures/query-once.ts';

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

let dataDir: string;
let server: EmbeddedServer;
const pidFile = (): string => join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
const postmaster = (): number => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'handshake-engine-'));
  server = await startPostgres({ dataDir, randomHex });
  await queryOnce(server.url, 'create table kept (n integer)');
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the embedded Postgres', () => {
  it('keeps its password where only its owner can read it, and refuses everybody without it', async () => {
    expect(statSync(join(dataDir, 'postgres', 'password')).mode & 0o077).toBe(0);
    const stranger = new URL(server.url);
    stranger.password = 'wrong';
    await expect(queryOnce(stranger.href, 'select 1')).rejects.toThrow(/password/);
  });

  it('is taken over when the process that started it was killed', async () => {
    const before = postmaster();
    await queryOnce(server.url, 'insert into kept values (1)');
    server = await startPostgres({ dataDir, randomHex });
    expect(postmaster()).toBe(before);
    expect(await queryOnce(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('continues with its data after a stop', async () => {
    await queryOnce(server.url, 'insert into kept values (2)');
    await server.stop();
    await expect(queryOnce(server.url, 'select 1')).rejects.toThrow();
    await server.stop();
    server = await startPostgres({ dataDir, randomHex });
    expect(await queryOnce(server.url, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('has everything that was committed after the server itself was killed', async () => {
    await queryOnce(server.url, 'insert into kept values (3)');
    const before = postmaster();
    process.kill(before, 'SIGKILL');
    await vi.waitFor(() => expect(() => process.kill(before, 0)).toThrow('ESRCH'), { timeout: 60_000 });
    server = await startPostgres({ dataDir, randomHex });
    expect(postmaster()).not.toBe(before);
    expect(await queryOnce(server.url, 'select n from kept order by n')).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ]);
  });

  it('signals no other program whose process id is in a stale pid file', async () => {
    const [, ...rest] = readFileSync(pidFile(), 'utf8').split('\n');
    await server.stop();
    // A process of the server's own account, which the server may signal.
    const { uid, gid } = statSync(dirname(pidFile()));
    const bystander: ChildProcess = spawn('sleep', ['600'], { uid, gid, cwd: '/' });
    const ended = new Promise((resolve) => bystander.once('exit', resolve));
    try {
      writeFileSync(pidFile(), [String(bystander.pid), ...rest].join('\n'));
      server = await startPostgres({ dataDir, randomHex });
      expect(postmaster()).not.toBe(bystander.pid);
      expect(await queryOnce(server.url, 'select count(*)::int as n from kept')).toEqual([{ n: 3 }]);
      expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
    } finally {
      bystander.kill('SIGKILL');
      await ended;
    }
  });

  it('reports in one sentence that its folder cannot be written', async () => {
    const file = join(dataDir, 'a-file');
    writeFileSync(file, '');
    await expect(startPostgres({ dataDir: file, randomHex })).rejects.toThrow(
      /^the database folder .* cannot be written/,
    );
  });
});
