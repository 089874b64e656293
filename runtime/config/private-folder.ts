import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files that the service writes into its data folder, and files that operators usually put there. */
const KEPT = /\.(?:json|lock|log|key|pem|tmp|csv)(?:\.|$)|^(?:secrets|wallet|profile)/;
const CHAIN = /^chain-\d+$/;
const STICKY = 0o1000;

/**
 * Removes access that an earlier release, a copy or a restored backup gave to other users: files get 0600, folders
 * 0700. Files of other users, shared folders such as /tmp, and the targets of links are left alone. Postgres guards its
 * own files. Where it runs as another user, its group may still pass through its folder and the data folder.
 */
export function tightenDataDir(dataDir: string): void {
  tighten(dataDir);
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    const path = join(dataDir, entry.name);
    if (entry.isDirectory() && CHAIN.test(entry.name)) tightenAll(path);
    else if (entry.isDirectory() && entry.name === 'postgres') tightenDatabase(path);
    else if (entry.isFile() && KEPT.test(entry.name)) tighten(path);
  }
}

/** The folders `cluster` and below need no change: Postgres creates them with 0700 and refuses to start on others. */
function tightenDatabase(folder: string): void {
  tighten(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (!entry.isSymbolicLink()) tighten(join(folder, entry.name));
}

function tightenAll(folder: string): void {
  tighten(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) tightenAll(path);
    else if (entry.isFile()) tighten(path);
  }
}

function tighten(path: string): void {
  const found = lstatSync(path);
  const { mode, uid, gid } = found;
  const isFolder = found.isDirectory();
  const self = process.getuid?.() ?? uid;
  if ((self !== 0 && uid !== self) || (mode & STICKY) !== 0) return;
  // When root starts the service, Postgres runs as another user, whose group must be able to pass:
  // store/embedded-account.ts gives the folder that group.
  const passable = isFolder && self === 0 && gid !== 0 ? 0o010 : 0;
  const narrow = mode & ((isFolder ? 0o700 : 0o600) | passable);
  if ((mode & 0o777) !== narrow) chmodSync(path, narrow);
}
