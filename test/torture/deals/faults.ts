import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolStage } from '../../fixtures/pool-stage.ts';
import type { ServiceProcess } from '../../fixtures/service.ts';
import type { Random } from '../../simulator/random.ts';
import { nodeOf, restartNode } from './chain-node.ts';

/** What happens to the parts of a service while it trades, one fault after another, by seed. */
export interface Faults {
  /** What was done, in order. */
  readonly done: readonly string[];
  /** Ends the faults. Every part serves again once it resolves. */
  stop(): Promise<void>;
}

/** @param workers that serve already, and whose places others take */
export function startFaults(stage: PoolStage, random: Random, workers: ServiceProcess[]): Faults {
  const faults = faultsOf(stage, random, workers);
  const bag = [...faults.keys()];
  const done: string[] = [];
  let over = false;
  const running = (async () => {
    for (let left: string[] = []; !over; ) {
      // Each once, before one of them comes again.
      if (left.length === 0)
        left = bag
          .map((name) => ({ name, at: random.below(1e6) }))
          .sort((a, b) => a.at - b.at)
          .map(({ name }) => name);
      const name = left.pop()!;
      done.push(name);
      await faults.get(name)!();
      await sleep(300 + random.below(700));
    }
  })();
  // Told by whoever stops the faults.
  running.catch(() => {});
  return {
    done,
    async stop() {
      over = true;
      await running;
    },
  };
}

function faultsOf(
  stage: PoolStage,
  random: Random,
  workers: ServiceProcess[],
): ReadonlyMap<string, () => Promise<unknown>> {
  const { redis } = stage;
  const aWhile = (): Promise<void> => sleep(300 + random.below(2_000));
  const replaced = async (signal: NodeJS.Signals): Promise<void> => {
    const at = random.below(workers.length);
    workers[at]!.kill(signal);
    await workers[at]!.ended;
    workers[at] = await stage.worker();
  };
  const paused = async (pause: (signal: NodeJS.Signals) => void): Promise<void> => {
    pause('SIGSTOP');
    await aWhile().finally(() => pause('SIGCONT'));
  };
  const { dataDir } = stage.folder;
  const hangs = (chainId: number) => (): Promise<void> => {
    const pid = nodeOf(dataDir, chainId);
    return paused((signal) => process.kill(pid, signal));
  };
  return new Map<string, () => Promise<unknown>>([
    ['a worker is killed', () => replaced('SIGKILL')],
    ['a worker leaves', () => replaced('SIGTERM')],
    [
      'a worker hangs',
      () => {
        const worker = random.pick(workers);
        return paused((signal) => worker.kill(signal));
      },
    ],
    ['the API is killed', () => stage.restartApi()],
    ['the API hangs', () => paused((signal) => stage.api.kill(signal))],
    [
      'the database ends at once',
      async () => {
        await stage.crashDatabase();
        await aWhile();
        await stage.startDatabase();
      },
    ],
    [
      'the database is stopped',
      async () => {
        await stage.stopDatabase();
        await stage.startDatabase();
      },
    ],
    ['the database hangs', () => paused((signal) => stage.signalDatabase(signal))],
    ['the chain hangs', hangs(1002)],
    ['the other chain hangs', hangs(84532)],
    ['the chain’s node is restarted', () => restartNode(dataDir, 1002, aWhile)],
    ['the other chain’s node is restarted', () => restartNode(dataDir, 84532, aWhile)],
    ...(redis === null
      ? []
      : ([
          [
            'Redis is killed',
            async () => {
              await redis.kill();
              await aWhile();
              await redis.start({ empty: random.chance(0.5) });
            },
          ],
          [
            'Redis hangs',
            async () => {
              redis.freeze();
              await aWhile().finally(() => redis.thaw());
            },
          ],
          ['Redis is wiped', () => redis.wipe()],
        ] as const)),
  ]);
}
