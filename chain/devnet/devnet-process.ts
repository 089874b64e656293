import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

/**
 * The path of this platform's anvil binary. Starting it directly avoids the package's wrapper script, which would be a
 * process of its own.
 * @throws Error that says what to do when the package is absent
 */
export function anvilBinary(): string {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch;
  const system = process.platform === 'win32' ? 'win32' : process.platform;
  const name = `@foundry-rs/anvil-${system}-${cpu}`;
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    const require = createRequire(import.meta.url);
    // Resolved from the package that depends on it, because an installer may nest it there.
    const found = createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(
      `${name}/package.json`,
    );
    const binary = join(dirname(found), 'bin', file);
    if (existsSync(binary)) return binary;
  } catch {
    // The error is thrown below.
  }
  throw new Error(`the local chain needs the package ${name}: run npm install on this machine`);
}

/**
 * Identifies a process by its id and its start time, so that a later process with the same id is told apart. Null when
 * there is no such process, or it is a zombie.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform !== 'linux') return isAlive(pid) ? String(pid) : null;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain spaces. State and start time are the 1st and 20th fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : `${pid}:${fields[19]}:${boot}`;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A free TCP port on the loopback interface: the wanted one, or null when that is taken; any when none is wanted. */
export function freePort(wanted = 0): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}

/**
 * Starts anvil in a session of its own, so that neither Ctrl-C in the terminal nor the death of this process ends it.
 * @returns its process id
 */
export async function spawnAnvil(args: readonly string[], logFile: string): Promise<number> {
  const out = openSync(logFile, 'w', 0o600);
  const child = spawn(anvilBinary(), args, { detached: true, stdio: ['ignore', out, out] });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  return child.pid!;
}

/** Sends SIGTERM, and SIGKILL when that does not help. Resolves when the process is gone. */
export async function endProcess(pid: number, identity: string, patienceMs: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (processIdentity(pid) !== identity) return;
    process.kill(pid, signal);
    const deadline = performance.now() + patienceMs;
    while (processIdentity(pid) === identity && performance.now() < deadline) await pause(20);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
