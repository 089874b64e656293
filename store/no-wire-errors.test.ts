import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the store says what it refuses, and knows nothing of HTTP', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(80);
  const wired = files.filter((file) =>
    /\bAppError\b|\bstatusCode\b|badField/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  );
  expect(wired).toEqual([]);
});
