import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, as Linux reports CPU times. */
const TICKS = 100;

interface Used {
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

const pids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** CPU seconds that a Postgres server has used so far: the parent of one of its backends, and all children of that. */
export function postgresSeconds(backend: number): number {
  const postmaster = used(backend)!.parent;
  const server = used(postmaster)!;
  const children = pids().map(used);
  return children.reduce(
    (sum, child) => sum + (child?.parent === postmaster ? child.own : 0),
    server.own + server.ended,
  );
}

/** CPU seconds that the processes with this word in their command line have used so far. */
export function commandSeconds(word: string): number {
  return pids().reduce((sum, pid) => {
    const found = used(pid);
    return sum + (found?.command.includes(word) === true ? found.own : 0);
  }, 0);
}
