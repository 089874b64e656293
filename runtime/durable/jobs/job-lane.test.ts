import { describe, expect, it } from 'vitest';
import type { Closing, EffectRow } from '../../../store/durable/outbox.ts';
import { jobLane } from './job-lane.ts';

/** A lane over rows that stand in a list, whose runs end when they are told to. */
function stagedLane(parallel: number) {
  const rows: EffectRow[] = [];
  const claims: number[] = [];
  const closings: Closing[] = [];
  const runs: { key: string; free: () => void; end: (error?: Error) => void }[] = [];
  const failed: string[] = [];
  const told = { more: 0 };
  let gate: Promise<void> = Promise.resolve();
  const lane = jobLane({
    kinds: ['carry'],
    jobs: {
      async claim(_kinds, limit) {
        claims.push(limit);
        const taken = rows.splice(0, limit);
        await gate;
        return taken;
      },
      async close(closing) {
        closings.push(closing);
        return true;
      },
    },
    parallel,
    run: ({ key }, free) =>
      new Promise((resolve, reject) => {
        runs.push({ key, free, end: (error) => (error ? reject(error) : resolve()) });
      }),
    more: () => {
      told.more += 1;
    },
    failed: (error) => failed.push(String(error)),
  });
  const add = (...keys: string[]) => rows.push(...keys.map((key) => ({ key, attempts: 1 }) as EffectRow));
  const hold = (): (() => void) => {
    let open = (): void => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    return open;
  };
  return { lane, add, hold, claims, closings, runs, failed, told, keys: () => runs.map((r) => r.key) };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const row = (key: string) => ({ key, attempts: 1 }) as EffectRow;

describe('a lane of effects', () => {
  it('claims no more than it has room for, and the rest as its slots get free, without another wake-up', async () => {
    const { lane, add, claims, runs, keys, told } = stagedLane(2);
    add('a', 'b', 'c', 'd');
    lane.wake();
    await settle();
    expect([keys(), claims, told.more, lane.room()]).toEqual([['a', 'b'], [2], 1, 0]);
    runs[0]!.end();
    await settle();
    expect(keys()).toEqual(['a', 'b', 'c']);
    runs[1]!.end();
    runs[2]!.end();
    await settle();
    expect(keys()).toEqual(['a', 'b', 'c', 'd']);
    runs[3]!.end();
    await settle();
    const asked = claims.length;
    await settle();
    expect([claims.length, lane.room()]).toEqual([asked, 2]);
  });

  it('looks again for a wake-up that came during a claim, and once for any number of them', async () => {
    const { lane, add, hold, claims, keys } = stagedLane(4);
    const open = hold();
    lane.wake();
    add('late');
    for (let i = 0; i < 5; i++) lane.wake();
    open();
    await settle();
    expect([keys(), claims]).toEqual([['late'], [4, 4]]);
  });

  it('gives the slot of an effect that only writes its outcome to another, within bounds', async () => {
    const { lane, add, runs, keys } = stagedLane(1);
    add('a', 'b', 'c', 'd', 'e');
    lane.wake();
    for (let i = 0; i < 4; i++) {
      await settle();
      runs[i]!.free();
      runs[i]!.free();
    }
    await settle();
    expect(keys()).toEqual(['a', 'b', 'c', 'd']);
    runs[0]!.end();
    await settle();
    expect(keys()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('starts what this process holds whatever the room, and releases it once it closes, before it is closed', async () => {
    const { lane, runs, keys, closings } = stagedLane(1);
    lane.begin(row('a'));
    lane.begin(row('b'));
    expect(keys()).toEqual(['a', 'b']);
    const closing = lane.close();
    lane.begin(row('c'));
    for (const run of runs) run.end();
    await closing;
    expect(keys()).toEqual(['a', 'b']);
    expect(closings).toMatchObject([{ key: 'c', attempt: 1, status: 'pending', failed: false }]);
  });

  it('answers a pull when what it claimed has begun and there is room for more, or when it closes', async () => {
    const { lane, add, runs, keys } = stagedLane(1);
    add('a', 'b');
    let pulled = 0;
    const pull = async (): Promise<void> => {
      await lane.pull();
      pulled += 1;
    };
    void pull();
    await settle();
    expect([keys(), pulled]).toEqual([['a'], 0]);
    runs[0]!.end();
    await settle();
    expect([keys(), pulled]).toEqual([['a', 'b'], 0]);
    runs[1]!.end();
    await settle();
    expect(pulled).toBe(1);
    add('c');
    void pull();
    await settle();
    const closing = lane.close();
    await settle();
    expect([keys(), pulled]).toEqual([['a', 'b', 'c'], 2]);
    runs[2]!.end();
    await closing;
  });

  it('reports what failed and goes on', async () => {
    const { lane, add, runs, failed, keys } = stagedLane(1);
    add('a', 'b');
    lane.wake();
    await settle();
    runs[0]!.end(new Error('no'));
    await settle();
    expect([failed, keys()]).toEqual([['Error: no'], ['a', 'b']]);
  });
});
