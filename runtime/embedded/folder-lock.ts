import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity } from '../../chain/devnet/devnet-process.ts';
import { StartError } from '../config/start-error.ts';

interface Holder {
  readonly pid: number;
  readonly identity: string | null;
}

/**
 * Locks a data folder for this process before anything in it is touched. The database and chains in a folder serve one
 * service; a second service would take them over and end the first. The lock of a killed process is taken over.
 * @returns a function that releases the lock
 * @throws StartError that names the process that has it
 */
export function lockFolder(dataDir: string): () => void {
  const file = join(dataDir, 'service.lock');
  const draft = `${file}.${process.pid}`;
  const mine: Holder = { pid: process.pid, identity: processIdentity(process.pid) };
  // Linking creates the file with its whole content, or not at all.
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    while (!linked(draft, file)) {
      const holder = readHolder(file);
      if (holder !== null && isAlive(holder)) throw inUse(holder, dataDir);
      dropStale(file, dataDir);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readHolder(file)?.identity === mine.identity) rmSync(file, { force: true });
  };
}

function linked(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a stale lock. Two starts may find the same one, so the file is moved aside and read again before it is
 * deleted.
 */
function dropStale(file: string, dataDir: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const holder = readHolder(aside);
  if (holder !== null && isAlive(holder)) {
    renameSync(aside, file);
    throw inUse(holder, dataDir);
  }
  rmSync(aside, { force: true });
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function isAlive({ pid, identity }: Holder): boolean {
  return identity !== null && processIdentity(pid) === identity;
}

function inUse({ pid }: Holder, dataDir: string): StartError {
  return new StartError(
    `Process ${pid} already runs a service on ${dataDir}: stop it, or choose another DATA_DIR.`,
  );
}
