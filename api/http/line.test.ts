import { describe, expect, it } from 'vitest';
import { lineOf } from './line.ts';

function market() {
  const line = lineOf({ atOnce: 2, waiting: 2 });
  const begun: string[] = [];
  return { begun, enter: (who: string) => line(() => begun.push(who)) };
}

describe('a line', () => {
  it('lets so many begin at once, the next in their order, and takes nobody beyond', () => {
    const { begun, enter } = market();
    const [a, b] = [enter('a'), enter('b')];
    const [c, d] = [enter('c'), enter('d')];
    expect([begun, enter('e')]).toEqual([['a', 'b'], null]);
    b!();
    expect(begun).toEqual(['a', 'b', 'c']);
    expect(enter('f')).not.toBeNull();
    for (const end of [a, c, d]) end!();
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'f']);
  });

  it('passes over whoever went away while it waited', () => {
    const { begun, enter } = market();
    const a = enter('a')!;
    enter('b');
    enter('c')!();
    enter('d');
    a();
    expect(begun).toEqual(['a', 'b', 'd']);
  });
});
