import { describe, expect, it } from 'vitest';
import { lessAtRest, onceFor, sharedLook, whileDue } from './gates.ts';

/** A clock that is moved by hand, and a task that counts its runs. */
function stage() {
  const at = { ms: 0 };
  const runs = { count: 0 };
  return {
    at,
    runs,
    steady: () => at.ms,
    task: async () => {
      runs.count += 1;
    },
  };
}

describe('a shared look', () => {
  it('asks once for all that look within its time, and again after it', async () => {
    const { at, steady } = stage();
    let asked = 0;
    const look = sharedLook(400, async () => ++asked, steady);
    expect(await Promise.all([look(), look()])).toEqual([1, 1]);
    at.ms = 399;
    expect(await look()).toBe(1);
    at.ms = 400;
    expect(await look()).toBe(2);
  });

  it('asks less often while it finds nothing, and as before once it finds something', async () => {
    const { at, steady } = stage();
    let there = false;
    let asked = 0;
    const ask = async (): Promise<boolean> => {
      asked += 1;
      return there;
    };
    const look = sharedLook(400, ask, steady, { restMs: 1_000, isNothing: (found) => !found });
    const askedAfter = async (ms: number): Promise<number> => {
      at.ms += ms;
      await look();
      return asked;
    };
    expect([await askedAfter(0), await askedAfter(400), await askedAfter(400)]).toEqual([1, 2, 3]);
    expect([await askedAfter(999), await askedAfter(1), await askedAfter(400)]).toEqual([3, 4, 4]);
    there = true;
    expect([await askedAfter(600), await askedAfter(400)]).toEqual([5, 6]);
  });

  it('asks again at once when no answer came', async () => {
    let asked = 0;
    const look = sharedLook(400, async () => {
      asked += 1;
      if (asked === 1) throw new Error('the database is away');
      return asked;
    });
    await expect(look()).rejects.toThrow('away');
    expect(await look()).toBe(2);
  });
});

it('a task that finds nothing passes over every other time, until it finds something', async () => {
  let found = false;
  let runs = 0;
  const run = lessAtRest(async () => {
    runs += 1;
    return found;
  });
  const runsOf = async (times: number): Promise<number> => {
    runs = 0;
    for (let n = 0; n < times; n++) await run();
    return runs;
  };
  expect([await runsOf(3), await runsOf(6)]).toEqual([3, 3]);
  found = true;
  expect([await runsOf(2), await runsOf(4)]).toEqual([1, 4]);
});

describe('a task that runs while something is due', () => {
  it('runs each time while it is, and rests while it is not', async () => {
    const { at, runs, steady, task } = stage();
    let due = true;
    const run = whileDue(async () => due, task, 10_000, steady);
    await run();
    await run();
    expect(runs.count).toBe(2);
    due = false;
    at.ms = 9_999;
    await run();
    expect(runs.count).toBe(2);
    at.ms = 10_000;
    await run();
    await run();
    expect(runs.count).toBe(3);
  });

  it('runs again at its next time after it failed', async () => {
    const { steady } = stage();
    let tried = 0;
    const run = whileDue(
      async () => false,
      async () => {
        tried += 1;
        throw new Error('the chain is away');
      },
      10_000,
      steady,
    );
    await expect(run()).rejects.toThrow('away');
    await expect(run()).rejects.toThrow('away');
    expect(tried).toBe(2);
  });
});

describe('a task that follows something', () => {
  it('runs once for each value, again for one at which it failed, and now and then all the same', async () => {
    const { at, runs, steady, task } = stage();
    let head = '0x01';
    let away = false;
    const run = onceFor(
      async () => head,
      async () => {
        await task();
        if (away) throw new Error('the chain is away');
      },
      5_000,
      steady,
    );
    await run();
    await run();
    expect(runs.count).toBe(1);
    head = '0x02';
    away = true;
    await expect(run()).rejects.toThrow('away');
    away = false;
    await run();
    await run();
    expect(runs.count).toBe(3);
    at.ms = 5_000;
    await run();
    expect(runs.count).toBe(4);
  });
});
