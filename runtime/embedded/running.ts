import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from '../../chain/deploy/deployment.ts';
import { replacePrivately } from '../config/private-file.ts';

/** What a running service on embedded parts tells other commands on this machine. It holds no key. */
export interface RunningService {
  readonly pid: number;
  readonly baseUrl: string;
  readonly chains: Readonly<Record<string, { readonly rpcUrl: string } & Deployment>>;
}

const fileOf = (dataDir: string): string => join(dataDir, 'running.json');

export function writeRunning(dataDir: string, running: RunningService): void {
  replacePrivately(fileOf(dataDir), `${JSON.stringify(running, null, 2)}\n`);
}

export function dropRunning(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** The service that runs on this data folder; null when none does. A file that a killed process left counts as none. */
export function findRunning(dataDir: string): RunningService | null {
  const file = fileOf(dataDir);
  if (!existsSync(file)) return null;
  const running = JSON.parse(readFileSync(file, 'utf8')) as RunningService;
  try {
    process.kill(running.pid, 0);
    return running;
  } catch {
    return null;
  }
}
