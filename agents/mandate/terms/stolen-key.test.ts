import { describe, expect, it } from 'vitest';
import { readMandate } from '../grammar/read.ts';
import type { Mandate } from './schema.ts';
import { openEnded } from './stolen-key.ts';

const NOW = '2026-11-01T00:00:00Z';

function understood(text: string): Mandate {
  const reading = readMandate(text, NOW);
  if (!('mandate' in reading)) throw new Error(JSON.stringify(reading));
  return reading.mandate;
}

describe('a mandate that bounds no stolen key', () => {
  it('says what such a key could spend, and offers a sentence that reads back as the bound', () => {
    const text = 'Buy digital products, max 150 USDC per deal, for 30 days.';
    const open = openEnded(understood(text));
    expect(open?.warning).toMatch(/all the USDC .* 150 USDC at a time/);
    const bounded = understood(`${text} ${open?.offer}`);
    expect(bounded.cap_per_day).toBe('150');
    expect(openEnded(bounded)).toBeNull();
  });

  it('is not bounded by a number of deals, which no chain counts', () => {
    expect(
      openEnded(
        understood('Buy digital products, max 150 USDC per deal, at most 3 deals per day, for 30 days.'),
      ),
    ).not.toBeNull();
  });

  it.each(['per day', 'per week', 'per month', 'in total'])('is closed by a cap %s', (window) => {
    const text = `Buy digital products, max 50 USDC per deal, at most 200 USDC ${window}, for 30 days.`;
    expect(openEnded(understood(text))).toBeNull();
  });

  it('is none that only sells', () => {
    expect(openEnded(understood('Sell digital products, max 50 USDC per deal, for 30 days.'))).toBeNull();
  });
});
