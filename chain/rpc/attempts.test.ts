import { expect, it } from 'vitest';
import { attempts } from './attempts.ts';
import { ReaderError } from './reader.ts';
import { coalesced } from './viem/coalesce.ts';
import { questions } from './viem/wire.ts';

it('asks again together what failed together, and each again as often as it may', async () => {
  const sent: unknown[][] = [];
  const ask = questions(
    coalesced(async (body) => {
      const asked = [JSON.parse(body)].flat() as { id: number; method: string }[];
      sent.push(asked);
      const answers = asked.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method }));
      return { status: sent.length < 3 ? 429 : 200, text: JSON.stringify(answers) };
    }),
  );
  const attempt = attempts({ retries: 2, backoffMs: 1, timeoutMs: 60_000, deadlineMs: 60_000 }, (error) => {
    throw error;
  });
  const methods = ['a', 'b', 'c', 'd'];
  const told = await Promise.all(
    methods.map((method) => attempt(async () => (await ask(method, [])).result)),
  );
  expect(told).toEqual(methods);
  expect(sent.map((asked) => asked.length)).toEqual([4, 4, 4]);
});

it('makes a question that fails later wait for its whole pause, too', async () => {
  const began: number[] = [];
  const attempt = attempts({ retries: 1, backoffMs: 40, timeoutMs: 60_000 }, (error) => error as ReaderError);
  const twice = async (): Promise<void> => {
    let failed = 0;
    await attempt(async () => {
      if (failed > 0) began.push(performance.now() - failed);
      else {
        failed = performance.now();
        throw new ReaderError('down', 'not yet');
      }
    });
  };
  const first = twice();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await Promise.all([first, twice()]);
  for (const waited of began) expect(waited).toBeGreaterThan(38);
});
