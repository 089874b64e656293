import { describe, expect, it } from 'vitest';
import { localLane } from './local-lane.ts';

/** Work whose every run waits until it is let go. */
function gatedWork() {
  const runs: { id: string; end: (error?: Error) => void }[] = [];
  const work = (id: string): Promise<void> =>
    new Promise((resolve, reject) => {
      runs.push({ id, end: (error) => (error ? reject(error) : resolve()) });
    });
  return { runs, work };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a local lane', () => {
  it('starts work at once while it has room, and says when it has none', async () => {
    const { runs, work } = gatedWork();
    const lane = localLane(work, { parallel: 2 }, () => {});
    expect([lane.take('a'), lane.take('b'), lane.take('c')]).toEqual([true, true, false]);
    expect(runs.map((r) => r.id)).toEqual(['a', 'b']);
    runs[0]!.end();
    await settle();
    expect(lane.take('c')).toBe(true);
  });

  it('runs one id once more for any number of wake-ups that came while it ran, never twice at once', async () => {
    const { runs, work } = gatedWork();
    const lane = localLane(work, { parallel: 2 }, () => {});
    for (let i = 0; i < 5; i++) expect(lane.take('a')).toBe(true);
    expect(runs).toHaveLength(1);
    runs[0]!.end();
    await settle();
    expect(runs).toHaveLength(2);
    runs[1]!.end();
    await settle();
    expect(runs).toHaveLength(2);
  });

  it('puts an id that is woken again behind those that wait, so that a busy one starves nobody', async () => {
    const { runs, work } = gatedWork();
    const lane = localLane(work, { parallel: 1, waiting: 2 }, () => {});
    expect([lane.take('noisy'), lane.take('b'), lane.take('c'), lane.take('d')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    for (let i = 0; i < 5; i++) {
      lane.take('noisy');
      runs.at(-1)!.end();
      await settle();
    }
    expect(runs.map((r) => r.id).slice(0, 4)).toEqual(['noisy', 'b', 'c', 'noisy']);
  });

  it('reports work that failed and goes on', async () => {
    const { runs, work } = gatedWork();
    const failed: string[] = [];
    const lane = localLane(work, { parallel: 1 }, (id, error) => failed.push(`${id}: ${String(error)}`));
    lane.take('a');
    runs[0]!.end(new Error('no'));
    await settle();
    expect(failed).toEqual(['a: Error: no']);
    expect(lane.take('a')).toBe(true);
  });

  it('takes nothing once it closes, and closes when what is under way has ended', async () => {
    const { runs, work } = gatedWork();
    const lane = localLane(work, { parallel: 2 }, () => {});
    lane.take('a');
    lane.take('a');
    let closed = false;
    const closing = lane.close().then(() => {
      closed = true;
    });
    expect(lane.take('b')).toBe(false);
    await settle();
    expect(closed).toBe(false);
    runs[0]!.end();
    await closing;
    expect(runs).toHaveLength(1);
  });
});
