import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../agents/categories.ts';
import { deskCommand } from '../desk/commands.ts';
import { WORDS } from './every-page.ts';

describe('the words of pages', () => {
  it('name each category', () => {
    expect(Object.keys(WORDS.categories)).toEqual([...CATEGORIES]);
  });

  it('say at each empty list what to do, by a way that is there', () => {
    for (const [words, ...ways] of Object.values(WORDS.empty)) {
      expect([words, ways.length > 0]).toEqual([words, true]);
      for (const [to] of ways) {
        const [, act] = /^\/desk\/(.+)$/.exec(to) ?? [];
        if (act !== undefined) expect([to, deskCommand(act) !== undefined]).toEqual([to, true]);
      }
    }
  });
});
