import { describe, expect, it } from 'vitest';
import { createBatcher } from './create-batcher.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Lots that end when they are let go. */
function gatedBatches(limits: { parallel: number; most: number }) {
  const batches: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const call = createBatcher(
    (items: readonly number[]) =>
      new Promise<readonly string[]>((resolve, reject) => {
        batches.push({
          items,
          end: (error) => (error ? reject(error) : resolve(items.map((n) => `answer ${n}`))),
        });
      }),
    limits,
  );
  return { batches, call };
}

describe('calls that go together', () => {
  it('are those of one tick, and each has its own answer', async () => {
    const { batches, call } = gatedBatches({ parallel: 1, most: 10 });
    const answers = Promise.all([call(1), call(2), call(3)]);
    await settle();
    expect(batches.map((l) => l.items)).toEqual([[1, 2, 3]]);
    batches[0]!.end();
    expect(await answers).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });

  it('gather while the most batches are under way, and go in the order in which they came', async () => {
    const { batches, call } = gatedBatches({ parallel: 2, most: 3 });
    const answers = [];
    for (let n = 1; n <= 2; n++) {
      answers.push(call(n));
      await settle();
    }
    for (let n = 3; n <= 7; n++) answers.push(call(n));
    await settle();
    expect(batches.map((l) => l.items)).toEqual([[1], [2]]);
    batches[0]!.end();
    await settle();
    batches[1]!.end();
    await settle();
    expect(batches.map((l) => l.items)).toEqual([[1], [2], [3, 4, 5], [6, 7]]);
    batches[2]!.end();
    batches[3]!.end();
    expect(await Promise.all(answers)).toHaveLength(7);
  });

  it('fail together, and the next ones go on', async () => {
    const { batches, call } = gatedBatches({ parallel: 1, most: 10 });
    const failed = Promise.allSettled([call(1), call(2)]);
    await settle();
    batches[0]!.end(new Error('no'));
    expect((await failed).map((f) => f.status)).toEqual(['rejected', 'rejected']);
    const next = call(3);
    await settle();
    batches[1]!.end();
    expect(await next).toBe('answer 3');
  });
});
