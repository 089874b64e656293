import { accessSync, constants, existsSync, lstatSync, readdirSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { httpAddress } from '../../config/hosts.ts';
import { findRunning } from '../../embedded/running.ts';
import { doubtful, type Finding, leftOut, well, wrong } from './finding.ts';

const GIGABYTE = 1024 ** 3;
const LEAST_DISK = 1;
const LITTLE_DISK = 5;
/** Each part has two seconds to answer before the service answers without it. */
const HEALTH_MS = 10_000;

/** The port, unless the service itself has it. */
export async function checkPort({ host, port, dataDir }: Config): Promise<Finding> {
  const running = findRunning(dataDir);
  if (running !== null)
    return well('port', `the service runs at ${running.baseUrl} (process ${running.pid})`);
  if (port === 0) return well('port', 'any that is free');
  const fault = await new Promise<string | null>((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
  if (fault === null) return well('port', `${host}:${port} is free`);
  const health = fault === 'EADDRINUSE' ? await healthAt(host, port) : null;
  if (health !== null) return well('port', `the service runs at ${host}:${port}, and is ${health}`);
  return wrong(
    'port',
    `${host}:${port} cannot be had (${fault})`,
    'set PORT to another, or end the program that has it',
  );
}

/** What a service that listens there says of itself, also while it cannot serve; null where another program does. */
async function healthAt(host: string, port: number): Promise<string | null> {
  try {
    const response = await fetch(`${httpAddress(host, port)}/health`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(HEALTH_MS),
    });
    const { status, version, checks } = await response.json();
    return typeof status === 'string' && typeof version === 'string' && checks?.database ? status : null;
  } catch {
    return null;
  }
}

/** Whether the data folder can be written, what it holds is read by nobody else, and the disk has room. */
export function checkFolder({ dataDir }: Config): Finding[] {
  const stands = existsSync(dataDir);
  const parent = stands ? dataDir : nearestFolder(dataDir);
  const disk = checkDisk(parent);
  try {
    accessSync(parent, constants.W_OK);
  } catch {
    const remedy = `give this user the folder, or set DATA_DIR to another`;
    return [wrong('data folder', `${parent} cannot be written by this user`, remedy), disk];
  }
  if (!stands) return [well('data folder', `${dataDir} is not there yet; a start makes it`), disk];
  const open = readdirSync(dataDir)
    .filter((name) => /\.json$|^secrets/.test(name))
    .filter((name) => (lstatSync(join(dataDir, name)).mode & 0o077) !== 0);
  if (open.length === 0)
    return [well('data folder', `${dataDir} can be written; its keys are private`), disk];
  const files = open.map((name) => join(dataDir, name)).join(' ');
  return [
    wrong('data folder', `others on this machine can read ${open.join(', ')}`, `chmod 600 ${files}`),
    disk,
  ];
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

function checkDisk(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = (Number(bavail) * Number(bsize)) / GIGABYTE;
  const says = `${free.toFixed(1)} GB are free`;
  if (free < LEAST_DISK) return wrong('disk', says, 'make room: a database that cannot write stops');
  return free < LITTLE_DISK ? doubtful('disk', says, 'make room soon') : well('disk', says);
}

/** What needs parts that run is left out where none do. */
export function notRunning(of: string, dataDir: string): Finding {
  return leftOut(of, `nothing runs on ${dataDir}: "npm start" starts it`);
}
