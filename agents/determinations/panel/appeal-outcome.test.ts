import { describe, expect, it } from 'vitest';
import { appealOutcome } from './appeal-outcome.ts';
import type { DeterminationId, Verdict } from './types.ts';

const all = (verdicts: Partial<Record<DeterminationId, Verdict>>) =>
  (Object.entries(verdicts) as [DeterminationId, Verdict][]).map(([id, verdict]) => ({ id, verdict }));

describe('an appeal', () => {
  const outcome = (
    before: Parameters<typeof all>[0],
    now: Parameters<typeof all>[0],
  ): ReturnType<typeof appealOutcome> => appealOutcome(all(before), all(now));

  it('is won where all that was FLAGGED is CLEAN now', () => {
    expect(outcome({ wallet: 'FLAGGED' }, { wallet: 'CLEAN' }).overturned).toBe(true);
    const price = { 'price-intelligence': 'INCONCLUSIVE' } as const;
    expect(outcome({ wallet: 'FLAGGED', ...price }, { wallet: 'CLEAN', ...price }).overturned).toBe(true);
  });

  it('is lost where anything is FLAGGED, by a hard check or a soft one, and whether or not it was before', () => {
    const lost = { overturned: false, undecided: [] };
    expect(outcome({ wallet: 'FLAGGED' }, { wallet: 'FLAGGED' })).toEqual(lost);
    expect(
      outcome(
        { 'double-pledge': 'CLEAN', 'price-intelligence': 'FLAGGED' },
        { 'double-pledge': 'FLAGGED', 'price-intelligence': 'INCONCLUSIVE' },
      ),
    ).toEqual(lost);
  });

  it('is undecided where what counted against the subject cannot be judged, or was not', () => {
    const undecided = { overturned: false, undecided: ['wallet'] };
    expect(outcome({ wallet: 'FLAGGED' }, { wallet: 'INCONCLUSIVE' })).toEqual(undecided);
    expect(outcome({ wallet: 'FLAGGED' }, {})).toEqual(undecided);
    expect(outcome({ wallet: 'INCONCLUSIVE' }, { wallet: 'INCONCLUSIVE' })).toEqual(undecided);
    expect(outcome({ wallet: 'INCONCLUSIVE' }, { wallet: 'CLEAN' }).overturned).toBe(true);
  });
});
