import { describe, expect, it } from 'vitest';
import { readMandate } from '../grammar/read.ts';
import { openChoice } from './open-choice.ts';
import type { Mandate } from './schema.ts';

const TEXT = 'Buy digital products, max 150 USDC per deal, for 30 days.';

function understood(text: string): Mandate {
  const reading = readMandate(text, '2026-11-01T00:00:00Z');
  if (!('mandate' in reading)) throw new Error(JSON.stringify(reading));
  return reading.mandate;
}

describe('a mandate that does not say what happens when something could not be judged', () => {
  it('is asked about it, and each sentence that is offered answers the question', () => {
    const open = openChoice(understood(TEXT), null);
    expect(open?.question).toMatch(/the bidding, the provenance and the price of a deal could not be judged/);
    expect(open?.offers).toHaveLength(3);
    const chosen = open?.offers.map((offer) => understood(`${TEXT} ${offer}`)) ?? [];
    expect(chosen.map((m) => new Set(Object.values(m.on_inconclusive ?? {})))).toEqual([
      new Set(['stop']),
      new Set(['ask']),
      new Set(['proceed']),
    ]);
    for (const mandate of chosen) expect(openChoice(mandate, null)).toBeNull();
  });

  it('is asked for what is open alone', () => {
    const open = openChoice(understood(`${TEXT} If the price cannot be judged, ask me.`), null);
    expect(open?.question).toMatch(/^When the bidding and the provenance of/);
    const clean = openChoice(understood(`${TEXT} Require a clean provenance check.`), null);
    expect(clean?.question).toMatch(/^When the bidding and the price of/);
  });

  it('is not asked where its owner chose for every agent', () => {
    for (const setting of ['stop', 'ask', 'proceed'] as const)
      expect(openChoice(understood(TEXT), setting)).toBeNull();
  });
});
