import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('words beside the names are sizes, folders and data', () => {
  const words = ['deals', 'quick', 'agents=400', 'profile=/tmp/p', './bids.csv', 'lots=many'];
  expect(readOptions(words)).toEqual({
    // What cannot be read as a number is left, and is no bench's name.
    names: ['deals', 'lots=many'],
    options: { quick: true, full: false, sizes: { agents: 400 }, profile: '/tmp/p', data: './bids.csv' },
  });
  expect(readOptions(['agents', 'full', '--profile', 'out']).options).toMatchObject({
    full: true,
    profile: 'out',
  });
});

test('every bench is named in docs/benchmarks.md', () => {
  const main = readFileSync(new URL('main.ts', import.meta.url), 'utf8');
  const [, listed = ''] = /BENCHES[^{]*\{([^;]*)\};/.exec(main) ?? [];
  const names = [...listed.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name!);
  const docs = readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !new RegExp(`npm run bench ${name}\\b|\`${name}\``).test(docs))).toEqual([]);
});
