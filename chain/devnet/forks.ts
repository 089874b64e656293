import { rpc } from '../rpc/json-rpc.ts';
import { type Head, type Hex, ReaderError } from '../rpc/reader.ts';
import { endLeftForks, type ForkProcess, startFork } from './fork-process.ts';

/** What is forked: the node, the chain it answers for, and the block. */
export interface ForkOf {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly block: Pick<Head, 'number' | 'hash'>;
}

/** Forks of nodes at pinned blocks, each shared by whoever asks about the same block of the same node. */
export interface Forks {
  /**
   * Does some work on a fork, which stays as it is until the work is done.
   * @throws Error when anvil is not installed, does not start, or all forks are in use
   * @throws ReaderError reorganised, when the node has another block in its place
   */
  use<T>(of: ForkOf, work: (url: string) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** Each is a process of some 60 megabytes. Two nodes are forked for one question. */
const MOST = 6;
const IDLE_MS = 60_000;

interface Entry {
  readonly process: Promise<ForkProcess>;
  users: number;
  /** Ends the process when nobody has used it for a while. */
  idle: NodeJS.Timeout | null;
}

export function openForks({ most = MOST, idleMs = IDLE_MS }: { most?: number; idleMs?: number } = {}): Forks {
  const entries = new Map<string, Entry>();
  const ending = new Set<Promise<void>>();
  let swept: Promise<void> | null = null;
  const drop = (key: string, entry: Entry): void => {
    if (entries.get(key) === entry) entries.delete(key);
    if (entry.idle !== null) clearTimeout(entry.idle);
    const ended = entry.process.then((fork) => fork.stop()).catch(() => {});
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
  };
  const entryOf = (key: string, of: ForkOf): Entry => {
    const held = entries.get(key);
    if (held !== undefined) return held;
    if (entries.size >= most) {
      const unused = [...entries].find(([, entry]) => entry.users === 0);
      if (unused === undefined) throw new Error('all forks are in use');
      drop(...unused);
    }
    swept ??= endLeftForks();
    const made: Entry = { process: swept.then(() => pinned(of)), users: 0, idle: null };
    entries.set(key, made);
    return made;
  };
  return {
    async use(of, work) {
      const key = `${of.chainId} ${of.rpcUrl} ${of.block.hash}`;
      const entry = entryOf(key, of);
      if (entry.idle !== null) clearTimeout(entry.idle);
      entry.users += 1;
      try {
        const fork = await entry.process;
        if (!fork.alive()) throw new Error('the fork has ended');
        return await work(fork.url);
      } finally {
        entry.users -= 1;
        const usable = await entry.process.then((fork) => fork.alive()).catch(() => false);
        if (!usable) drop(key, entry);
        else if (entry.users === 0 && entries.get(key) === entry) {
          entry.idle = setTimeout(() => drop(key, entry), idleMs);
          entry.idle.unref();
        }
      }
    },
    async stop() {
      for (const [key, entry] of entries) drop(key, entry);
      await Promise.all(ending);
    },
  };
}

/** @throws ReaderError reorganised */
async function pinned({ rpcUrl, chainId, block }: ForkOf): Promise<ForkProcess> {
  const fork = await startFork(chainId);
  try {
    await fork.pin(rpcUrl, block.number);
    const asked = [`0x${block.number.toString(16)}`, false];
    const found = await rpc<{ readonly hash: Hex } | null>(fork.url, 'eth_getBlockByNumber', asked);
    if (found?.hash.toLowerCase() === block.hash.toLowerCase()) return fork;
    throw new ReaderError('reorganised', `block ${block.number} was ${block.hash} and is now ${found?.hash}`);
  } catch (error) {
    await fork.stop();
    throw error;
  }
}
