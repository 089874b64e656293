import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmbeddedServer, startPostgres } from '../../../store/embedded.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { type Authority, authority, opensslPresent } from '../../fixtures/servers/certificates.ts';
import { redisPresent } from '../../fixtures/servers/redis.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';

/** A service whose database and queue are reached over TLS, as production demands of other machines. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const HERE = 'IP:127.0.0.1';

let base: string;
let ours: Authority;
let others: Authority;
let server: EmbeddedServer;
let redis: ChildProcess;
let redisPort: number;
let folder: ServiceFolder;

const databaseUrl = (port: number, { file }: Authority): string => {
  const url = new URL(server.url);
  url.port = String(port);
  url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: file }).toString();
  return url.href;
};
const settings = (trusted: Authority): Record<string, string> => ({
  DATABASE_URL: databaseUrl(Number(new URL(server.url).port), trusted),
  REDIS_URL: `rediss://127.0.0.1:${redisPort}`,
  NODE_EXTRA_CA_CERTS: trusted.file,
});

describe.runIf(redisPresent && opensslPresent)('a service over TLS', () => {
  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'handshake-tls-'));
    chmodSync(base, 0o755);
    [ours, others] = [authority(base, 'ours'), authority(base, 'others')];
    const dataDir = join(base, 'database');
    const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
    const held = ours.issue('database', HERE);
    // The server's own account reads its key, and nobody else does.
    await (await startPostgres({ dataDir, randomHex })).stop();
    execFileSync('chown', [`--reference=${join(dataDir, 'postgres', 'cluster')}`, held.key]);
    const ssl = ['ssl=on', `ssl_cert_file=${held.certificate}`, `ssl_key_file=${held.key}`];
    server = await startPostgres({ dataDir, randomHex, flags: ssl.flatMap((one) => ['-c', one]) });
    const { certificate, key } = ours.issue('queue', HERE);
    redisPort = await freePort();
    const tls = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', ours.file];
    redis = spawn(
      'redis-server',
      ['--port', '0', '--tls-port', String(redisPort), '--tls-auth-clients', 'no', '--save', '', ...tls],
      { stdio: 'ignore', cwd: base },
    );
    folder = await serviceFolder();
  });
  afterAll(async () => {
    await folder?.remove();
    redis?.kill('SIGKILL');
    await server?.stop();
    rmSync(base, { recursive: true, force: true });
  });

  it('starts, and has no connection to the database without it', async () => {
    const service = await folder.start(settings(ours));
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean }>(
      'select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where client_port > 0 and pid <> pg_backend_pid()',
    );
    await client.end();
    expect(rows).toEqual([{ ssl: true }]);
    const { checks } = (await (await fetch(`${service.baseUrl}/health`)).json()) as {
      checks: Record<string, { status: string }>;
    };
    expect([checks.database!.status, checks.queue!.status]).toEqual(['ok', 'ok']);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('does not start where another authority vouches for the database, or for the queue', async () => {
    const trusted = settings(ours);
    for (const wrong of [
      { ...trusted, DATABASE_URL: settings(others).DATABASE_URL! },
      { ...trusted, NODE_EXTRA_CA_CERTS: others.file },
    ]) {
      const service = folder.attempt(wrong);
      expect(await service.ended).toBe(2);
      expect(service.errors()).toMatch(/certificate|self-signed/i);
    }
  });
});
