import { expect, it } from 'vitest';
import { withProgress } from './progress.ts';

it('shows nothing where nobody sees it', async () => {
  const written: string[] = [];
  const done = await withProgress('looking', async () => 7, { write: (text) => written.push(text) });
  expect([done, written]).toEqual([7, []]);
});

it('shows on a terminal what goes on, and takes it back at the end', async () => {
  const written: string[] = [];
  let shown: () => void = () => {};
  const seen = new Promise<void>((resolve) => (shown = resolve));
  const stream = {
    isTTY: true,
    write(text: string) {
      written.push(text);
      shown();
    },
  };
  await withProgress(
    'fetching',
    async (say) => {
      await seen;
      say('reading');
    },
    stream,
  );
  expect(written[0]).toMatch(/^\r.*… fetching \(\d+ s\)$/);
  expect(written[1]).toMatch(/… reading/);
  expect(written.at(-1)).toBe('\r\x1b[2K');
});
