import { describe, expect, it } from 'vitest';
import { siblingBefore } from './siblings.ts';

const [early, late] = [new Date('2026-11-01'), new Date('2026-11-02')];

describe('the agents of one owner on one lot', () => {
  it('go by who came first while the owner gave a word for all of them, or for none', () => {
    for (const hasWord of [true, false]) {
      const siblings = [late, early].map((since) => ({ since, hasWord }));
      expect(siblingBefore(hasWord, siblings)).toEqual(early);
      expect(siblingBefore(hasWord, [])).toBeNull();
    }
  });

  it('yield to one with the owner’s word, which is not kept out by them', () => {
    expect(siblingBefore(false, [{ since: late, hasWord: true }])).toEqual(new Date(0));
    expect(siblingBefore(true, [{ since: early, hasWord: false }])).toBeNull();
    const both = [
      { since: early, hasWord: false },
      { since: late, hasWord: true },
    ];
    expect(siblingBefore(true, both)).toEqual(late);
  });
});
