import { describe, expect, it } from 'vitest';
import { onceFor, sharedLook, whileDue } from './gates.ts';

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
