import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Hex } from 'viem';
import { rpc } from '../rpc/json-rpc.ts';

/** The file about a data folder's anvil, by which the next start finds it. */
export interface DevnetRecord {
  readonly pid: number;
  readonly identity: string;
  readonly port: number;
  /** Anvil's own instance id, which no other process has. */
  readonly instanceId: string;
  /** The process that uses the chain. */
  readonly owner: { readonly pid: number; readonly identity: string };
}

const RECORD = 'process.json';
const PORT = 'port.json';
/** Anvil writes this file itself as it ends. */
const EXIT_STATE = 'exit-state.json';
const CHECKPOINT = 'checkpoint.json';

export function exitStateFile(folder: string): string {
  return join(folder, EXIT_STATE);
}

export function readRecord(folder: string): DevnetRecord | null {
  return readJson<DevnetRecord>(join(folder, RECORD));
}

export function writeRecord(folder: string, record: DevnetRecord): void {
  replaceFile(join(folder, RECORD), JSON.stringify(record));
}

export function dropRecord(folder: string): void {
  rmSync(join(folder, RECORD), { force: true });
}

/** The port of the last run, however it ended: wallets were told of it. Null on a new chain. */
export function lastPort(folder: string): number | null {
  return readJson<number>(join(folder, PORT));
}

export function writePort(folder: string, port: number): void {
  replaceFile(join(folder, PORT), JSON.stringify(port));
}

/**
 * Writes the chain's state to a new file and then replaces the old one, so that a crash in between leaves the old one
 * whole.
 */
export async function writeCheckpoint(folder: string, rpcUrl: string): Promise<void> {
  const dump = await rpc<Hex>(rpcUrl, 'anvil_dumpState', [], 60_000);
  // A state has megabytes: whoever runs the chain answers meanwhile.
  const file = join(folder, CHECKPOINT);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex')), {
    mode: 0o600,
    flush: true,
  });
  await rename(draft, file);
}

/** The state with the highest block that can be read; an incomplete file is skipped. Null on a new chain. */
export function newestState(folder: string): { readonly file: string; readonly block: bigint } | null {
  let newest: { file: string; block: bigint } | null = null;
  for (const name of [EXIT_STATE, CHECKPOINT]) {
    const file = join(folder, name);
    const number = readJson<{ best_block_number?: number | string }>(file)?.best_block_number;
    if (number === undefined) continue;
    const block = BigInt(number);
    if (newest === null || block > newest.block) newest = { file, block };
  }
  return newest;
}

function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
}

function replaceFile(file: string, content: string): void {
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}
