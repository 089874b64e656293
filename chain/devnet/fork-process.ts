import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rpc } from '../rpc/json-rpc.ts';
import { anvilBinary, endProcess, freePort, pause, processIdentity } from './devnet-process.ts';

/** An anvil that has the state of another node at one block. */
export interface ForkProcess {
  readonly url: string;
  /** Takes the state of a node at a block in place of what it has. @throws RpcRefusal, RpcSilence */
  pin(upstream: string, block: bigint): Promise<void>;
  readonly alive: () => boolean;
  stop(): Promise<void>;
}

const START_MS = 30_000;
const STOP_MS = 5_000;
const PREFIX = 'handshake-fork-';

interface Owned {
  readonly owner: { readonly pid: number; readonly identity: string };
  readonly fork: { readonly pid: number; readonly identity: string };
}

/**
 * Starts an anvil for forks. The URL of the node goes over the loopback interface and not into the arguments, where
 * everybody on the machine would read its key; and anvil keeps no state of the node on disk, where it would be taken for
 * that of another block of the same number.
 * @throws Error when anvil is not installed or does not start
 */
export async function startFork(chainId: number): Promise<ForkProcess> {
  const binary = anvilBinary();
  const port = await freePort();
  if (port === null) throw new Error('no free port for a fork');
  const home = mkdtempSync(join(tmpdir(), PREFIX));
  const args = ['--chain-id', String(chainId), '--port', String(port), '--host', '127.0.0.1'];
  args.push(
    '--accounts',
    '0',
    '--no-cors',
    '--quiet',
    '--hardfork',
    'prague',
    '--cache-path',
    join(home, 'cache'),
  );
  const child = spawn(binary, args, { stdio: 'ignore', env: { HOME: home } });
  child.once('error', () => {});
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const alive = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    process.off('exit', kill);
    await end(child, alive);
    rmSync(home, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    noteOwner(home, child.pid);
    await answering(url, alive);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    alive,
    stop,
    async pin(upstream, block) {
      await rpc(url, 'anvil_reset', [{ forking: { jsonRpcUrl: upstream, blockNumber: Number(block) } }]);
    },
  };
}

async function answering(url: string, alive: () => boolean): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    try {
      return void (await rpc(url, 'eth_chainId', [], 2_000));
    } catch (error) {
      if (!alive() || performance.now() > deadline) throw new Error('anvil did not start', { cause: error });
      await pause(20);
    }
  }
}

async function end(child: ChildProcess, alive: () => boolean): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!alive()) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await Promise.race([gone, pause(STOP_MS)]);
  }
}

const NOTE = 'owner.json';

function noteOwner(home: string, pid: number | undefined): void {
  const identity = pid === undefined ? null : processIdentity(pid);
  if (pid === undefined || identity === null) return;
  const own = { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
  const note: Owned = { owner: own, fork: { pid, identity } };
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, NOTE), JSON.stringify(note), { mode: 0o600 });
}

/** Ends the forks of processes that were killed before they could. */
export async function endLeftForks(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((n) => n.startsWith(PREFIX))) {
    const home = join(tmpdir(), name);
    try {
      const { owner, fork } = JSON.parse(readFileSync(join(home, NOTE), 'utf8')) as Owned;
      if (processIdentity(owner.pid) === owner.identity) continue;
      await endProcess(fork.pid, fork.identity, STOP_MS);
      rmSync(home, { recursive: true, force: true });
    } catch {
      // It is being made, or removed, or is another user's.
    }
  }
}
