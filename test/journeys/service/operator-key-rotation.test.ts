import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Secrets } from '../../../runtime/config/secrets.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';
import {
  runCommand,
  type ServiceFolder,
  type ServiceProcess,
  serviceFolder,
} from '../../fixtures/service.ts';

/** How an operator's keys are replaced: by a start with another one, or by command, with several processes running. */

vi.setConfig({ testTimeout: 400_000 });

const API_ONLY = ['up', '--no-worker'];
const operatorKey = (): string => `op_${randomBytes(24).toString('hex')}`;
const [first, second, third] = [operatorKey(), operatorKey(), operatorKey()];

let database: TestDatabase;
let folder: ServiceFolder;
let service: ServiceProcess;
/** The key that won the race. */
let standing = first;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), serviceFolder()]);
  service = await startWith(first);
});
afterAll(async () => {
  await folder?.remove();
  await database?.drop();
});

const startWith = (key: string): Promise<ServiceProcess> =>
  folder.start({ DATABASE_URL: database.url, OPERATOR_API_KEY: key }, API_ONLY);

async function restartWith(key: string): Promise<void> {
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  service = await startWith(key);
}

const command = async (...args: string[]) => {
  const env = { ...folder.env, DATABASE_URL: database.url };
  return await runCommand(['operator-key', ...args], { env });
};
const printed = async (...args: string[]) => {
  const { code, stdout, stderr } = await command(...args);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as { id: string; key: string; scopes: string[]; next?: string };
};

/** The status that each key gets from a page that any operator may open. */
async function statuses(keys: readonly string[], at = service.baseUrl): Promise<number[]> {
  const ask = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${at}/operator/queues`, { headers })).status;
  };
  return await Promise.all(keys.map(ask));
}

const stateOf = async (id: string): Promise<string | undefined> =>
  (await command('list')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; state: string })
    .find((key) => key.id === id)?.state;

describe('the operator key of the configuration', () => {
  it('is replaced by a start with another one: the new one works, the old one does not, keys made by command still do', async () => {
    const made = await printed('create', '--name', 'desk', '--scope', 'queues');
    expect(await statuses([first, made.key])).toEqual([200, 200]);
    await restartWith(second);
    expect(await statuses([first, second, made.key])).toEqual([403, 200, 200]);
  });

  it('may go back to an earlier one at a start, as when a deployment is rolled back', async () => {
    await restartWith(first);
    expect(await statuses([first, second])).toEqual([200, 403]);
  });

  it('is only one of them when two processes start at once with different keys, and the same one in all', async () => {
    const others = mkdtempSync(join(tmpdir(), 'handshake-rolling-'));
    const running = findRunning(folder.dataDir)!;
    const secrets = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8')) as Secrets;
    const beside = async (key: string) => {
      const dataDir = mkdtempSync(join(others, 'api-'));
      const port = await freePort();
      for (const chainId of [1002, 84532])
        copyFileSync(
          join(folder.dataDir, `deployment-${chainId}.json`),
          join(dataDir, `deployment-${chainId}.json`),
        );
      const settings = {
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        PORT: String(port),
        OPERATOR_API_KEY: key,
        RPC_URL_1002: running.chains['1002']!.rpcUrl,
        RPC_URL_84532: running.chains['84532']!.rpcUrl,
        SESSION_KEY_SEED: secrets.sessionKeySeed,
        OPERATOR_PRIVATE_KEY: secrets.operatorPrivateKey,
        FACILITATOR_PRIVATE_KEY: secrets.facilitatorPrivateKey,
      };
      return { api: folder.attempt(settings, undefined, API_ONLY), at: `http://127.0.0.1:${port}` };
    };
    const two = await Promise.all([beside(second), beside(third)]);
    try {
      for (const { api } of two)
        await vi.waitFor(() => expect(api.output()).toContain('is up after'), { timeout: 300_000 });
      const seen = await Promise.all(
        [service.baseUrl, ...two.map(({ at }) => at)].map((at) => statuses([first, second, third], at)),
      );
      expect([
        [403, 200, 403],
        [403, 403, 200],
      ]).toContainEqual(seen[0]);
      expect(seen).toEqual([seen[0], seen[0], seen[0]]);
      standing = seen[0]![1] === 200 ? second : third;
    } finally {
      for (const { api } of two) api.kill('SIGTERM');
      await Promise.all(two.map(({ api }) => api.ended));
      rmSync(others, { recursive: true, force: true });
    }
  });

  it('no longer works once it was rotated by command, and a start that still has it neither fails nor restores it', async () => {
    const rotated = await printed('rotate', 'configured');
    expect(rotated.next).toContain('set OPERATOR_API_KEY');
    expect(await statuses([standing, rotated.key])).toEqual([403, 200]);
    await restartWith(standing);
    expect(await statuses([standing, rotated.key])).toEqual([403, 200]);
    expect(service.output()).toContain('revoked or rotated by command');
  });
});

describe('a key made by command', () => {
  it('is rotated at once, or after an overlap in which both work, and keeps its permissions', async () => {
    const old = await printed('create', '--name', 'board', '--scope', 'queues');
    const next = await printed('rotate', old.id, '--overlap', '1h');
    expect(next).toMatchObject({ name: 'board', scopes: ['queues'], replaces: old.id });
    expect(await statuses([old.key, next.key])).toEqual([200, 200]);
    expect([await stateOf(old.id), await stateOf(next.id)]).toEqual(['ending', 'live']);
    // The hour has passed by the database's clock, which all processes use.
    await database.db
      .updateTable('operator_keys')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', old.id)
      .execute();
    expect(await statuses([old.key, next.key])).toEqual([403, 200]);
    const last = await printed('rotate', next.id);
    expect(await statuses([next.key, last.key])).toEqual([403, 200]);
  });

  it('is rotated once, however many rotate it at the same time', async () => {
    const old = await printed('create', '--name', 'raced', '--scope', 'queues');
    const raced = await Promise.all([1, 2, 3].map(() => command('rotate', old.id, '--overlap', '1h')));
    expect(raced.map(({ code }) => code).sort()).toEqual([0, 2, 2]);
    const { rows } = await countOf('raced');
    expect(rows).toBe(2);
  });

  it('cannot be rotated once it has ended, or with an overlap that is no duration', async () => {
    const old = await printed('create', '--name', 'ended', '--scope', 'queues');
    expect((await command('revoke', old.id)).code).toBe(0);
    const refused = await command('rotate', old.id);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`No live key has the id ${old.id}: "operator-key list"`),
    ]);
    for (const overlap of ['soon', '31d', '-1h', '1.5h'])
      expect((await command('rotate', old.id, '--overlap', overlap)).stderr).toContain('15m, 24h or 7d');
  });
});

async function countOf(name: string): Promise<{ rows: number }> {
  const keys = await database.db.selectFrom('operator_keys').select('id').where('name', '=', name).execute();
  return { rows: keys.length };
}
