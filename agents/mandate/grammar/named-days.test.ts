import { expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) => readMandate(text, '2026-12-01T00:00:00Z');

it('days with a name are read with their date, and asked about where it is another day', () => {
  const until = (day: string) => read(`Wine, 40 USDC a deal, until ${day}.`);
  expect(until('Christmas Eve, 24 December 2026')).toMatchObject({
    mandate: { expires_at: '2026-12-24T23:59:59Z' },
  });
  expect(until("Valentine's Day, 14 February 2027")).toMatchObject({
    mandate: { expires_at: '2027-02-14T23:59:59Z' },
  });
  expect(until('Christmas Eve, 25 December 2026')).toMatchObject({
    questions: [{ reason: 'AMBIGUOUS_DATE' }],
  });
});
