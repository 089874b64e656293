import { describe, expect, it } from 'vitest';
import { simulationTurns } from './simulation-turns.ts';

/** Work that ends when it is told to. */
function work() {
  const ends: (() => void)[] = [];
  let [underWay, most] = [0, 0];
  const run = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    underWay -= 1;
  };
  return { run, endOne: () => ends.shift()?.(), most: () => most, begun: () => ends.length };
}

describe('the simulations that a node runs at a time', () => {
  it('are those whose gas together is within the limit, in the order of their asking', async () => {
    const { take } = simulationTurns(10n);
    const { run, endOne, begun, most } = work();
    const all = [4n, 4n, 4n, 1n].map((gas) => take(gas, run));
    expect(begun()).toBe(2);
    endOne();
    await all[0];
    expect(begun()).toBe(3);
    for (const one of all) {
      endOne();
      endOne();
      await one;
    }
    expect(most()).toBeLessThanOrEqual(3);
  });

  it('are one where it takes more than all by itself', async () => {
    const { take } = simulationTurns(10n);
    const { run, endOne, most } = work();
    const all = [take(50n, run), take(50n, run)];
    endOne();
    await all[0];
    endOne();
    await all[1];
    expect(most()).toBe(1);
  });

  it('go on after one that failed, and whoever waits too long is told that the node is slow', async () => {
    const { take } = simulationTurns(1n, 1);
    const failing = async () => {
      throw new Error('it failed');
    };
    await expect(take(1n, failing)).rejects.toThrow('it failed');
    const { run, endOne, begun } = work();
    const first = take(1n, run);
    await expect(take(1n, run)).rejects.toMatchObject({ kind: 'slow' });
    endOne();
    await first;
    expect(begun()).toBe(0);
  });
});
