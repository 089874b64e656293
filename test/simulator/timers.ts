import { syncBuiltinESMExports } from 'node:module';
import promises from 'node:timers/promises';
import type { World } from './world.ts';

const NAMES = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
] as const;

/** Replaces every timer that the simulated code sets by one of the world, for as long as `work` runs. */
export async function underSimulatedTimers<T>(world: World, work: () => Promise<T>): Promise<T> {
  const real = Object.fromEntries(NAMES.map((name) => [name, globalThis[name]]));
  const realSleep = promises.setTimeout;
  const set =
    (every: boolean) =>
    (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const timer = world.timer(world.current, () => run(...args), ms, every ? Math.max(1, ms) : null);
      return Object.assign(timer, { unref: () => timer, ref: () => timer });
    };
  const cancel = (timer: unknown): void => world.cancel(timer);
  Object.assign(globalThis, {
    setTimeout: set(false),
    setInterval: set(true),
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => set(false)(run, 0, ...args),
    clearTimeout: cancel,
    clearInterval: cancel,
    clearImmediate: cancel,
  });
  const sleep = (ms: number, value: unknown): Promise<unknown> =>
    new Promise((wake) => world.timer(world.current, () => wake(value), ms));
  promises.setTimeout = sleep as typeof promises.setTimeout;
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(globalThis, real);
    promises.setTimeout = realSleep;
    syncBuiltinESMExports();
  }
}
