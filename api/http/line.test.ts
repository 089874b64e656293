import { describe, expect, it } from 'vitest';
import { lineOf, type Room } from './line.ts';

/** Callers are the first letters of what they begin. */
function market(each?: Room['each']) {
  const line = lineOf({ atOnce: 2, waiting: 2, ...(each ? { each } : {}) });
  const begun: string[] = [];
  return { begun, enter: (what: string) => line(what.slice(0, 1), () => begun.push(what)) };
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

  it('gives one caller its share, so that others begin and wait beside it', () => {
    const { begun, enter } = market({ atOnce: 1, waiting: 1 });
    const a1 = enter('a1')!;
    const a2 = enter('a2')!;
    expect([begun, enter('a3')]).toEqual([['a1'], null]);
    const b1 = enter('b1')!;
    enter('b2');
    expect([begun, enter('c1')]).toEqual([['a1', 'b1'], null]);
    b1();
    expect(begun).toEqual(['a1', 'b1', 'b2']);
    a1();
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2']);
    a2();
    for (const what of ['a4', 'a5']) expect(enter(what)).not.toBeNull();
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2', 'a4']);
  });

  it('takes an end once, however often it is told', () => {
    const { begun, enter } = market();
    const a = enter('a')!;
    enter('b');
    for (const what of ['c', 'd']) enter(what);
    a();
    a();
    expect(begun).toEqual(['a', 'b', 'c']);
  });
});
