import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { rpc } from '../rpc/json-rpc.ts';
import { endProcess, freePort, pause, processIdentity, spawnAnvil } from './devnet-process.ts';
import {
  type DevnetRecord,
  dropRecord,
  exitStateFile,
  lastPort,
  newestState,
  readRecord,
  writeCheckpoint,
  writePort,
  writeRecord,
} from './devnet-state.ts';

interface DevnetOptions {
  readonly chainId: number;
  /** The parent of the chain's own folder. */
  readonly dataDir: string;
  /** When left out: the port of the last run if it is still free, otherwise any. */
  readonly port?: number;
  /** A state file to start from when the folder has none. */
  readonly seed?: string;
  readonly checkpointMs?: number;
  readonly log?: (line: string) => void;
  /** In unix milliseconds. */
  readonly now?: () => number;
}

export interface Devnet {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly pid: number;
  /** True when the chain was still running, after the process that started it had died. */
  readonly adopted: boolean;
  /** For `ReaderOptions.freshen`: mines an empty block when the head is more than 15 seconds old. */
  readonly freshen: (timestamp: bigint) => Promise<boolean>;
  /** Writes the state, ends anvil, and resolves when it is gone. */
  stop(): Promise<void>;
}

/** A start takes a fraction of a second on an idle machine; this limit only gives up what hangs. */
const START_MS = 60_000;
/** Until then, anvil may still be writing its state. */
const STOP_MS = 60_000;
const PORTS = 5;
const STALE_SECONDS = 15n;

/**
 * Starts a local chain whose state is kept below `dataDir`. The anvil process survives the death of this one and is
 * taken over by the next start, so that the chain never falls behind what the database has recorded.
 * @throws Error with one sentence: the binary is missing, the port is taken, the folder is in use or not writable
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { chainId, dataDir, log = () => {}, now = Date.now } = options;
  const folder = join(dataDir, `chain-${chainId}`);
  try {
    mkdirSync(join(folder, 'cache'), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Error(`the chain's data folder ${folder} cannot be written: choose another DATA_DIR`, {
      cause,
    });
  }
  const left = readRecord(folder);
  refuseSecondUser(left, folder);

  const adopted = left !== null && (await isRunning(left, chainId));
  if (left && !adopted) await endProcess(left.pid, left.identity, STOP_MS);
  if (adopted && options.port !== undefined && options.port !== left.port) {
    await rpcQuiet(() => writeCheckpoint(folder, urlOf(left.port)));
    await endProcess(left.pid, left.identity, STOP_MS);
    return startDevnet(options);
  }
  const record = adopted ? { ...left, owner: self() } : await launch(options, folder, left);
  writeRecord(folder, record);
  writePort(folder, record.port);
  const rpcUrl = urlOf(record.port);
  log(`chain ${chainId} ${adopted ? 'taken over' : 'started'} at ${rpcUrl}`);

  const checkpoints = keepCheckpoints(folder, rpcUrl, options.checkpointMs ?? 5_000, log);
  let stopping: Promise<void> | null = null;
  return {
    chainId,
    rpcUrl,
    pid: record.pid,
    adopted,
    async freshen(timestamp) {
      if (BigInt(Math.floor(now() / 1000)) - timestamp <= STALE_SECONDS) return false;
      await rpc(rpcUrl, 'evm_mine');
      return true;
    },
    stop() {
      stopping ??= (async () => {
        await checkpoints.stop();
        await endProcess(record.pid, record.identity, STOP_MS);
        if (readRecord(folder)?.identity === record.identity) dropRecord(folder);
      })();
      return stopping;
    },
  };
}

/**
 * Ends a chain that a dead process left running below `dataDir`, after its state is written. Does nothing when there is
 * none, or when its process is alive.
 */
export async function endLeftDevnet(dataDir: string, chainId: number): Promise<void> {
  const folder = join(dataDir, `chain-${chainId}`);
  const left = readRecord(folder);
  if (left === null || processIdentity(left.owner.pid) === left.owner.identity) return;
  await endProcess(left.pid, left.identity, STOP_MS);
}

/** Starts anvil. A free port may be taken a moment after it was chosen; then another is tried, if any will do. */
async function launch(
  options: DevnetOptions,
  folder: string,
  left: DevnetRecord | null,
): Promise<DevnetRecord> {
  for (let tries = 1; ; tries++) {
    try {
      return await launchOnce(options, folder, left);
    } catch (error) {
      if (!(error instanceof PortTaken) || options.port !== undefined || tries === PORTS) throw error;
    }
  }
}

async function launchOnce(
  options: DevnetOptions,
  folder: string,
  left: DevnetRecord | null,
): Promise<DevnetRecord> {
  const { chainId, log = () => {} } = options;
  const port = await choosePort(options, lastPort(folder));
  const kept = newestState(folder);
  if (left) log(`chain ${chainId} did not end cleanly: it continues from block ${kept?.block ?? 0}`);
  const state = kept?.file ?? options.seed;
  const logFile = join(folder, 'anvil.log');
  const args = ['--chain-id', String(chainId), '--port', String(port), '--host', '127.0.0.1'];
  // No funded accounts with public keys, and no access for web pages.
  args.push('--accounts', '0', '--no-cors', '--quiet', '--hardfork', 'prague');
  args.push('--cache-path', join(folder, 'cache'), '--dump-state', exitStateFile(folder));
  if (state) args.push('--load-state', state);
  const pid = await spawnAnvil(args, logFile);
  const identity = processIdentity(pid);
  // Recorded before anvil answers: if this process dies now, the next start ends that anvil.
  if (identity) writeRecord(folder, { pid, identity, port, instanceId: '', owner: self() });
  const deadline = performance.now() + START_MS;
  while (identity !== null && processIdentity(pid) === identity) {
    const instanceId = await rpcQuiet(() => instanceOf(port, chainId));
    if (instanceId) return { pid, identity, port, instanceId, owner: self() };
    if (performance.now() > deadline) {
      await endProcess(pid, identity, 1_000);
      break;
    }
    await pause(20);
  }
  const said = readFileSync(logFile, 'utf8').trim().split('\n').at(-1) ?? '';
  if (/address already in use/i.test(said)) throw new PortTaken(chainId, port);
  throw new Error(`the local chain ${chainId} did not start${said && `: ${said}`}`);
}

async function choosePort({ chainId, port }: DevnetOptions, last: number | null): Promise<number> {
  if (port !== undefined) {
    if ((await freePort(port)) === null) throw new PortTaken(chainId, port);
    return port;
  }
  const chosen = (last === null ? null : await freePort(last)) ?? (await freePort());
  if (chosen === null) throw new Error(`no free port for the local chain ${chainId}`);
  return chosen;
}

class PortTaken extends Error {
  constructor(chainId: number, port: number) {
    super(
      `port ${port} of the local chain ${chainId} is taken: end what listens there, or choose another port`,
    );
  }
}

function refuseSecondUser(record: DevnetRecord | null, folder: string): void {
  if (record === null || record.owner.pid === process.pid) return;
  if (processIdentity(record.owner.pid) !== record.owner.identity) return;
  throw new Error(`process ${record.owner.pid} is using ${folder}: stop it, or choose another DATA_DIR`);
}

/** The chain is ours only when the process, its port and anvil's instance id all match. */
async function isRunning(record: DevnetRecord, chainId: number): Promise<boolean> {
  if (processIdentity(record.pid) !== record.identity) return false;
  return (await rpcQuiet(() => instanceOf(record.port, chainId))) === record.instanceId;
}

async function instanceOf(port: number, chainId: number): Promise<string | null> {
  const found = await rpc<{ chainId: number; instanceId: string }>(urlOf(port), 'anvil_metadata', [], 5_000);
  return found.chainId === chainId ? found.instanceId : null;
}

/** Writes the state regularly when there are new blocks, and once more at the end. */
function keepCheckpoints(folder: string, rpcUrl: string, everyMs: number, log: (line: string) => void) {
  let written: Hex | null = null;
  let running: Promise<void> | null = null;
  const check = async () => {
    try {
      const head = await rpc<Hex>(rpcUrl, 'eth_blockNumber');
      if (head === written) return;
      await writeCheckpoint(folder, rpcUrl);
      written = head;
    } catch (error) {
      log(
        `the state of the chain at ${rpcUrl} was not written: ${error instanceof Error ? error.message : error}`,
      );
    }
  };
  const run = () => {
    running ??= check().finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(run, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
      await run();
    },
  };
}

async function rpcQuiet<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch {
    return null;
  }
}

function self(): DevnetRecord['owner'] {
  return { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
