import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const EXAMPLE = 'runtime/durable/example.ts';
const KILLED = 'the process was killed';

it('the example of the durable mechanism continues to count in a second process where the killed one stopped', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', EXAMPLE], {
    timeout: 120_000,
  });
  const lines = stdout.trim().split('\n');
  const killed = lines.indexOf(KILLED);
  expect(lines.at(-1)).toBe('the countdown is over');
  const numbers = lines.map(Number).filter((n) => !Number.isNaN(n));
  // A number may be printed twice, on both sides of the kill: an effect runs at least once.
  expect([...new Set(numbers)]).toEqual([6, 5, 4, 3, 2, 1]);
  expect(numbers.length).toBeLessThanOrEqual(7);
  const before = lines.slice(0, killed).map(Number);
  expect(before).toContain(6);
  expect(before).not.toContain(1);
  expect(lines.slice(killed + 1)).not.toContain('6');
});
