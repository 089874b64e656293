import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { runDemo } from '../../../runtime/cli/demo.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { testDatabase } from '../../fixtures/postgres.ts';
import { redisPresent, testRedis } from '../../fixtures/servers/redis.ts';
import {
  runCommand,
  type ServiceFolder,
  type ServiceProcess,
  serviceFolder,
  type User,
} from '../../fixtures/service.ts';
import { storyOn } from '../../fixtures/story-stage.ts';

/**
 * The service as its operator sees it: it starts, it stops completely, and it says in one sentence why it did not
 * start.
 */

const ROOT = new URL('../../..', import.meta.url).pathname;
/** This takes seconds on a quiet machine, and minutes on a busy one. */
const PATIENCE = { timeoutMs: 160_000 };
const folders: ServiceFolder[] = [];
const ends: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await folder.remove();
  for (const end of ends.splice(0).reverse()) await end();
});

async function newFolder(): Promise<ServiceFolder> {
  const folder = await serviceFolder();
  folders.push(folder);
  return folder;
}

async function health(port: string | number | undefined): Promise<{ status: string } | null> {
  try {
    return (await (await fetch(`http://127.0.0.1:${port}/health`)).json()) as { status: string };
  } catch {
    return null;
  }
}

/** Benchmarks measure how fast it starts, on a quiet machine; this only waits until it is healthy. */
function healthy({ env }: ServiceFolder): Promise<true> {
  return until(
    'a health that is whole',
    async () => ((await health(env.PORT))?.status === 'ok' ? true : null),
    PATIENCE,
  );
}

/** Checks that it ended with code 2 and one sentence, and that nothing it had started is left. */
async function expectRefused(folder: ServiceFolder, service: ServiceProcess, ...sentences: RegExp[]) {
  expect(await service.ended, service.output()).toBe(2);
  expect(service.errors().trim().split('\n')).toEqual(sentences.map((s) => expect.stringMatching(s)));
  expect(folder.processes()).toEqual([]);
}

describe('npm start', () => {
  /** Starts it like a terminal: npm, its shell and the service in a process group of their own. */
  async function npmStart(folder: ServiceFolder) {
    const child: ChildProcess = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { ...process.env, BASE_URL: '', ...folder.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = child.pid as number;
    let output = '';
    child.stdout?.on('data', (chunk) => (output += String(chunk)));
    let over = false;
    // The service is the last process that writes to this stream.
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => {
      over = true;
    });
    ends.push(() => {
      if (!over) process.kill(-pid, 'SIGKILL');
    });
    await until(
      'the greeting',
      async () => (output.includes('Ctrl-C stops all of it.') ? true : null),
      PATIENCE,
    );
    return { pid, closed, output: () => output };
  }

  it('is healthy, and Ctrl-C ends all of it', async () => {
    const folder = await newFolder();
    const [npm] = await Promise.all([npmStart(folder), healthy(folder)]);
    expect(npm.output()).toContain(`http://127.0.0.1:${folder.env.PORT}`);
    expect(folder.processes().filter((p) => p.includes('anvil'))).toHaveLength(2);
    expect(folder.processes().filter((p) => p.includes('postgres'))).toHaveLength(1);

    // Ctrl-C reaches the whole group at once, and npm may pass it on once more.
    process.kill(-npm.pid, 'SIGINT');
    process.kill(-npm.pid, 'SIGINT');
    await npm.closed;
    expect(npm.output()).toContain('Stopped.');
    expect(folder.processes()).toEqual([]);
    expect(existsSync(join(folder.dataDir, 'running.json'))).toBe(false);
    expect(await health(folder.env.PORT)).toBeNull();
  });

  it('ends completely when only npm is told to end', async () => {
    const folder = await newFolder();
    const npm = await npmStart(folder);
    process.kill(npm.pid, 'SIGTERM');
    await npm.closed;
    expect(npm.output()).toContain('Stopped.');
    expect(folder.processes()).toEqual([]);
  });
});

describe('a service', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'that gets %s while it starts leaves nothing running',
    async (signal) => {
      const folder = await newFolder();
      const service = folder.attempt();
      await until('the first part', async () => (/ answers/.test(service.output()) ? true : null), {
        ...PATIENCE,
        everyMs: 5,
      });
      service.kill(signal);
      expect(await service.ended).toBe(0);
      expect(service.output()).toContain('Stopped.');
      expect(folder.processes()).toEqual([]);
    },
  );

  it('that gets SIGTERM ends completely, and the next start continues where it stopped', async () => {
    const folder = await newFolder();
    const first = await folder.start();
    const story = storyOn(folder);
    const agent = await story.assemble(
      await story.owner(),
      'lasting',
      'Buy digital products, max 50 USDC per deal, for 30 days.',
    );
    await story.recorded(agent, 'agent-purchase');
    const { chains } = JSON.parse((await runCommand(['dev', 'info'], { env: folder.env })).stdout);
    first.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.output()).toContain('Stopped.');
    expect(folder.processes()).toEqual([]);
    const absent = await runCommand(['dev', 'info'], { env: folder.env });
    expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('npm start') });

    await folder.start();
    const again = JSON.parse((await runCommand(['dev', 'info'], { env: folder.env })).stdout).chains;
    for (const id of ['1002', '84532']) {
      expect({ ...again[id], rpcUrl: '' }).toEqual({ ...chains[id], rpcUrl: '' });
    }
    expect((await story.api.get('/agent/lasting')).body).toMatchObject({ account: agent.account });
    expect(await story.chain().mints()).toBe(1);
    const { items } = (await story.api.get('/agent/lasting/activity')).body;
    expect(items).toEqual([expect.objectContaining({ kind: 'agent-purchase', state: 'anchored' })]);
  });

  it('runs beside another one with its own port and data folder, and each runs the whole story', async () => {
    const [one, two] = [await newFolder(), await newFolder()];
    await Promise.all([one.start(), two.start()]);
    const endings = await Promise.all([one, two].map((f) => runDemo(f.env, () => {})));
    expect(endings.map((e) => e.sellerGotUsd)).toEqual([102.9, 102.9]);
    for (const folder of [one, two]) {
      const { items } = (await storyOn(folder).api.get('/matches')).body;
      expect(items).toHaveLength(1);
      expect(await storyOn(folder).chain().settlements()).toBe(1);
    }
  });

  it("needs no other Postgres than its operator's, and runs the whole story", async () => {
    const folder = await newFolder();
    const database = await testDatabase();
    ends.push(() => database.drop());
    const service = await folder.start({ DATABASE_URL: database.url });
    expect((await runDemo(folder.env, () => {})).sellerGotUsd).toBe(102.9);
    expect(existsSync(join(folder.dataDir, 'postgres'))).toBe(false);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it.runIf(redisPresent)('runs the whole story with a Redis for its queue', async () => {
    const folder = await newFolder();
    const redis = await testRedis();
    ends.push(() => redis.stop());
    await folder.start({ REDIS_URL: redis.url });
    expect((await runDemo(folder.env, () => {})).sellerGotUsd).toBe(102.9);
  });
});

describe('a start that is impossible', () => {
  it('names the port that is taken', async () => {
    const folder = await newFolder();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(Number(folder.env.PORT), '127.0.0.1', resolve));
    ends.push(() => new Promise<void>((resolve) => other.close(() => resolve())));
    await expectRefused(
      folder,
      folder.attempt(),
      new RegExp(`^Port ${folder.env.PORT} on 127\\.0\\.0\\.1 is taken: .*PORT.*\\.$`),
    );
  });

  it('names the process that uses the data folder, and does not harm it', async () => {
    const folder = await newFolder();
    const first = await folder.start();
    const second = folder.attempt({ PORT: String(await freePort()) });
    expect(await second.ended).toBe(2);
    expect(second.errors().trim()).toMatch(
      /^Process \d+ already runs a service on .*: stop it, or .*DATA_DIR\.$/,
    );
    await healthy(folder);
    const story = storyOn(folder);
    await story.assemble(await story.owner(), 'unharmed', 'Buy travel, max 50 USDC per deal, for 30 days.');
    first.kill('SIGTERM');
    expect(await first.ended).toBe(0);
  });

  it('names a data folder that is a file or is below one', async () => {
    const folder = await newFolder();
    const file = join(folder.dataDir, 'file');
    writeFileSync(file, '');
    for (const place of [file, join(file, 'below')]) {
      const service = folder.attempt({ DATA_DIR: place });
      await expectRefused(
        folder,
        service,
        /^The data folder .*file(?:\/below)? cannot be written: .*DATA_DIR\.$/,
      );
    }
  });

  const stranger = otherUser();
  it.runIf(stranger !== null)('names a data folder to which its user may not write', async () => {
    const folder = await newFolder();
    const closed = mkdtempSync(join(tmpdir(), 'handshake-closed-'));
    ends.push(() => rmSync(closed, { recursive: true, force: true }));
    chmodSync(closed, 0o555);
    for (const place of [closed, join(closed, 'below')]) {
      const service = folder.attempt({ DATA_DIR: place }, stranger?.user);
      await expectRefused(
        folder,
        service,
        /^The data folder .* cannot be written: choose another DATA_DIR\.$/,
      );
    }
  });

  it.each([
    [{ PRICING: 'cheap' }, [/^PRICING is set wrongly: it must be one of test, live$/]],
    [
      { RPC_URL_1002: 'http://127.0.0.1:1' },
      ['OPERATOR_PRIVATE_KEY', 'FACILITATOR_PRIVATE_KEY', 'SESSION_KEY_SEED'].map(
        (key) => new RegExp(`^${key} is not set: it is needed`),
      ),
    ],
    [
      { OPERATOR_PRIVATE_KEY: '0x12' },
      [/^OPERATOR_PRIVATE_KEY is set wrongly: it must be 0x and 64 hex digits$/],
    ],
  ])('names every setting that is wrong: %j', async (settings, sentences) => {
    const folder = await newFolder();
    await expectRefused(folder, folder.attempt(settings), ...sentences);
    expect(existsSync(join(folder.dataDir, 'secrets.json'))).toBe(false);
  });

  it('names the database that does not answer, and never its password', async () => {
    const folder = await newFolder();
    const service = folder.attempt({ DATABASE_URL: `postgres://me:hush@127.0.0.1:${await freePort()}/book` });
    await expectRefused(
      folder,
      service,
      /^The database at 127\.0\.0\.1:\d+\/book cannot be used: .*DATABASE_URL/,
    );
    expect(service.output()).not.toContain('hush');
  });

  it('names the queue that does not answer', async () => {
    const folder = await newFolder();
    const service = folder.attempt({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
    await expectRefused(folder, service, /^The queue at 127\.0\.0\.1:\d+ cannot be reached/);
  });

  it('names the file whose keys cannot be read, quotes none of them, and makes no new ones', async () => {
    const folder = await newFolder();
    mkdirSync(folder.dataDir, { recursive: true });
    writeFileSync(join(folder.dataDir, 'secrets.json'), '{"operatorPrivateKey":"0xsecret');
    const service = folder.attempt();
    await expectRefused(folder, service, /^The keys in .*secrets\.json cannot be read: restore that file/);
    expect(service.output()).not.toContain('0xsecret');
  });
});

/**
 * A user whom file permissions stop. Root may write everywhere, so root runs the start as another user, if that one can
 * reach the project at all.
 */
function otherUser(): { user?: User } | null {
  if (process.getuid?.() !== 0) return {};
  const user = { uid: 65_534, gid: 65_534 };
  try {
    execFileSync(process.execPath, [join(ROOT, 'runtime/bin.mjs'), '--version'], {
      ...user,
      stdio: 'ignore',
    });
    return { user };
  } catch {
    process.stdout.write(
      'no other user can reach this checkout: the start on a closed folder does not run here\n',
    );
    return null;
  }
}
