import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Load } from './load.ts';

const run = promisify(execFile);
const LOAD = new URL('load.ts', import.meta.url).pathname;

/** One GET again and again, from a process of its own. @param options status: the only answer that is taken; 200 when left out */
export async function press(
  target: string,
  { connections, milliseconds, status = 200 }: { connections: number; milliseconds: number; status?: number },
): Promise<Load> {
  const args = [LOAD, target, connections, milliseconds, status].map(String);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', ...args]);
  return JSON.parse(stdout) as Load;
}
