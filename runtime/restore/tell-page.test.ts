import { describe, expect, it } from 'vitest';
import { tellPage } from './tell-page.ts';

const PAGE = { id: 'co_1', kind: 'agent', handle: 'wanted', session: 'cs_1' };

describe('what a person is told of a card page', () => {
  it('says that it is booked of a page whose payment was served, and of no other', () => {
    expect(tellPage(PAGE, 7n, { became: 'served' })).toMatchObject({
      state: 'done',
      says: expect.stringMatching(/is booked; its agent 7 is on chain, and is found there$/),
    });
    for (const outcome of [
      { became: 'returned', why: 'the handle went' },
      { became: 'by-hand' },
      { became: 'away' },
      { became: 'due' },
      { became: 'already' },
      { became: 'unpaid' },
    ] as const) {
      const told = tellPage(PAGE, 7n, outcome);
      expect(told?.state).not.toBe('done');
      expect(told?.says).not.toMatch(/is booked|is found there/);
    }
  });

  it('says why a payment is returned, and leaves an agent that stays on chain to a person', () => {
    const outcome = { became: 'returned', why: 'the listing had ended' } as const;
    expect(tellPage(PAGE, null, outcome)).toEqual({
      state: 'done',
      says: 'checkout co_1 (agent wanted) was paid, and is returned: the listing had ended',
    });
    expect(tellPage(PAGE, 7n, outcome)).toMatchObject({
      state: 'by-hand',
      says: expect.stringMatching(/is returned: the listing had ended\. Its agent 7: it stays on chain/),
    });
  });

  it('leaves a payment that fits nothing to a person, by the session of the processor', () => {
    expect(tellPage(PAGE, null, { became: 'by-hand' })).toMatchObject({
      state: 'by-hand',
      says: expect.stringMatching(/returned by hand .*cs_1/),
    });
  });

  it('tells nothing of a page that nobody paid and for which nothing was minted', () => {
    expect(tellPage(PAGE, null, { became: 'unpaid' })).toBeNull();
  });
});
