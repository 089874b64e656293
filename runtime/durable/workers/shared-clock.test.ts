import { afterEach, describe, expect, it, vi } from 'vitest';
import { type SharedClock, sharedClock } from './shared-clock.ts';

const NOON = Date.parse('2026-09-06T12:00:00Z');
const HOUR = 3_600_000;
const EVERY_MS = 1_000;

let clock: SharedClock | null = null;
afterEach(async () => {
  await clock?.stop();
  clock = null;
  vi.useRealTimers();
});

/** A database's clock, a steady one beside it, and timers that only the test moves. */
async function parts() {
  vi.useFakeTimers();
  const said: unknown[] = [];
  const world = { steady: 5_000, database: NOON, tripMs: 0, answers: true, said };
  const pass = (ms: number): void => {
    world.steady += ms;
    world.database += ms;
    vi.setSystemTime(Date.now() + ms);
  };
  clock = await sharedClock({
    ask: async () => {
      if (!world.answers) throw new Error('away');
      pass(world.tripMs / 2);
      const at = new Date(world.database);
      pass(world.tripMs / 2);
      return at;
    },
    log: { warn: ((...line: unknown[]) => said.push(line)) as never },
    steady: () => world.steady,
    everyMs: EVERY_MS,
  });
  const round = (): Promise<unknown> => {
    world.steady += EVERY_MS;
    world.database += EVERY_MS;
    return vi.advanceTimersByTimeAsync(EVERY_MS);
  };
  const told = (): number => clock!.now().getTime() - world.database;
  return { world, pass, told, round };
}

describe('the shared clock', () => {
  it('says what the database’s clock says, between two answers too', async () => {
    const { pass, told } = await parts();
    expect(told()).toBe(0);
    pass(750);
    expect(told()).toBe(0);
  });

  it('goes on as before when the clock of its machine jumps, forth or back', async () => {
    const { pass, told, round } = await parts();
    for (const jump of [6 * HOUR, -6 * HOUR]) {
      vi.setSystemTime(Date.now() + jump);
      pass(100);
      expect(told()).toBe(0);
      await round();
      expect(told()).toBe(0);
    }
  });

  it('asks at once when its machine wakes, and not only when its time comes', async () => {
    const { world, told } = await parts();
    // The clock that nobody can set does not count while a machine sleeps.
    world.database += 3 * HOUR;
    vi.setSystemTime(Date.now() + 3 * HOUR);
    told();
    await vi.advanceTimersByTimeAsync(0);
    expect(told()).toBe(0);
  });

  it('asks once a second, and no more, while the database does not answer', async () => {
    const { world, pass, told } = await parts();
    world.answers = false;
    vi.setSystemTime(Date.now() + HOUR);
    for (let i = 0; i < 20; i++) {
      told();
      await vi.advanceTimersByTimeAsync(0);
      pass(100);
    }
    expect(world.said).toHaveLength(2);
  });

  it('follows the database where that one went apart from it', async () => {
    const { world, told, round } = await parts();
    world.database += 40;
    expect(told()).toBe(-40);
    await round();
    expect(told()).toBe(0);
  });

  it('counts on by itself while the database does not answer, and goes by no answer that was long under way', async () => {
    const { world, pass, told, round } = await parts();
    world.answers = false;
    await round();
    pass(300);
    expect(told()).toBe(0);
    expect(world.said).toHaveLength(1);
    world.answers = true;
    world.tripMs = 60_000;
    world.database += 40;
    await round();
    expect(told()).toBe(-40);
    world.tripMs = 20;
    await round();
    expect(told()).toBe(0);
  });

  it('goes by the quickest of its first answers', async () => {
    const trips = [400, 6, 900];
    let steady = 0;
    const ask = async (): Promise<Date> => {
      // All of the way is the way back: what an answer that took long can be wrong by, at most.
      const at = new Date(NOON + steady);
      steady += trips.shift() ?? 0;
      return at;
    };
    clock = await sharedClock({ ask, log: { warn: () => {} }, steady: () => steady });
    expect(NOON + steady - clock.now().getTime()).toBe(3);
  });

  it('is not there without a first answer', async () => {
    const ask = async (): Promise<Date> => {
      throw new Error('away');
    };
    await expect(sharedClock({ ask, log: { warn: () => {} } })).rejects.toThrow('away');
  });
});
