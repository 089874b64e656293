import type { BenchOptions } from './row.ts';

/** What is left of the words of a command line are the benches' names. */
export function readOptions(words: readonly string[]): { options: BenchOptions; names: readonly string[] } {
  const names: string[] = [];
  const sizes: Record<string, number> = {};
  let profile: string | undefined;
  let data: string | undefined;
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [, name, size] = /^(\w+)=(\d+)$/.exec(word) ?? [];
    if (word === '--profile') profile = left.shift();
    else if (word.startsWith('profile=')) profile = word.slice('profile='.length);
    else if (name !== undefined) sizes[name] = Number(size);
    // A path belongs to the bench that reads data.
    else if (/\.(?:csv|json)$/.test(word)) data = word;
    else names.push(word);
  }
  return {
    names: names.filter((name) => name !== 'quick' && name !== 'full'),
    options: {
      quick: names.includes('quick'),
      full: names.includes('full'),
      sizes,
      ...(profile === undefined ? {} : { profile }),
      ...(data === undefined ? {} : { data }),
    },
  };
}
