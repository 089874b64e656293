import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, as Linux reports CPU times. */
const TICKS = 100;

interface Used {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  /** CPU seconds of its own, and of its children that have ended. */
  readonly own: number;
  readonly ended: number;
}

function used(pid: number): Used | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return {
      pid,
      parent: fields[1] ?? 0,
      command,
      own: (user + system) / TICKS,
      ended: (endedUser + endedSystem) / TICKS,
    };
  } catch {
    // It ended while it was looked at.
    return null;
  }
}

function processes(): Used[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => used(Number(pid)) ?? []);
}

/**
 * CPU seconds that a Postgres server has used so far: the parent of one of its backends, and all children of that but
 * this backend, which is the observer's own. NaN where the server is not of this machine.
 */
export function postgresSeconds(backend: number): number {
  const postmaster = used(used(backend)?.parent ?? 0);
  if (postmaster === null || !postmaster.command.includes('postgres')) return Number.NaN;
  return processes().reduce(
    (sum, child) => sum + (child.parent === postmaster.pid && child.pid !== backend ? child.own : 0),
    postmaster.own + postmaster.ended,
  );
}

/** CPU seconds of a process and of what it has started so far, the chains apart. */
export function nodeSeconds(pid: number): number {
  const all = processes();
  const of = (parent: Used): number =>
    all
      .filter((child) => child.parent === parent.pid && !/anvil|postgres/.test(child.command))
      .reduce((sum, child) => sum + of(child), parent.own);
  const root = all.find((found) => found.pid === pid);
  return root === undefined ? Number.NaN : of(root);
}

/** How busy the machine was over the last minute: processes that wanted to run. */
export function loadAverage(): string {
  return readFileSync('/proc/loadavg', 'utf8').split(' ')[0]!;
}
