import { expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (clause: string) =>
  readMandate(`Buy wine ${clause}, at most 500 USDC per deal, until 31 March 2027.`, '2026-12-01T00:00:00Z');

it.each([
  'as long as it has room',
  'for my cellar as long as it has room',
  'provided that there is room',
  'for my brother to look at first',
  'for my wife to see first',
  'for a song',
  'for next to nothing',
])('what must hold, or whom must be asked, is never passed over: "%s"', (clause) => {
  expect(read(clause)).toMatchObject({ decision: 'REFUSE', questions: [expect.anything()] });
});

it.each(['for my brother', 'for the summer party'])('whom or what it is for is: "%s"', (clause) => {
  expect(read(clause)).toMatchObject({ decision: 'ACCEPT', mandate: { cap_per_deal: '500' } });
});

it('things that are held on to are not bought', () => {
  const whole = 'Buy wine, at most 500 USDC per deal, until 31 March 2027. We are holding on to flights.';
  expect(readMandate(whole, '2026-12-01T00:00:00Z')).toMatchObject({
    mandate: { categories_deny: ['travel-and-perishables'] },
  });
});
