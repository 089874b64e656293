import { describe, expect, it } from 'vitest';
import { errorRate, type OutcomeCount, readOutcome, recordedVerdicts, spokenOf, TOO_FEW } from './outcome.ts';

const HASH = `0x${'Ab'.repeat(32)}`;

describe('an outcome', () => {
  it('of fraud has a kind and evidence, and of honesty no kind', () => {
    expect(readOutcome({ outcome: 'fraudulent', kind: 'shill-bidding', evidence: [HASH] })).toEqual({
      outcome: 'fraudulent',
      kind: 'shill-bidding',
      evidence: [HASH.toLowerCase()],
    });
    expect(readOutcome({ outcome: 'honest' })).toEqual({ outcome: 'honest', kind: null, evidence: [] });
    for (const wrong of [
      { outcome: 'fraudulent', evidence: [HASH] },
      { outcome: 'fraudulent', kind: 'shill-bidding' },
      { outcome: 'fraudulent', kind: 'shill-bidding', evidence: ['javascript:alert(1)'] },
      { outcome: 'honest', kind: 'shill-bidding' },
    ] as const)
      expect(() => readOutcome(wrong)).toThrow(/kind|evidence/);
  });

  it('of fraud speaks of the determination that looks for its kind, and of no other', () => {
    const verdicts = { wallet: 'CLEAN', 'shill-collusion': 'FLAGGED' } as const;
    const fraud = readOutcome({ outcome: 'fraudulent', kind: 'shill-bidding', evidence: [HASH] });
    expect(spokenOf(verdicts, fraud)).toEqual({ 'shill-collusion': 'FLAGGED' });
    expect(spokenOf({ wallet: 'CLEAN' }, fraud)).toEqual({});
    expect(spokenOf(verdicts, readOutcome({ outcome: 'honest' }))).toEqual(verdicts);
  });

  it('is counted against what the record said, and FLAGGED for want of facts is INCONCLUSIVE', () => {
    const of = (outcome: string, vote: 'CLEAN' | 'FLAGGED' | 'INCONCLUSIVE') =>
      recordedVerdicts({
        verdict: 'FLAGGED',
        evidence: { checks: [{ outcome }], panel: { votes: [{ vote }] } },
      });
    expect(of('INCONCLUSIVE', 'CLEAN')).toEqual({ wallet: 'INCONCLUSIVE' });
    expect(of('FLAG', 'CLEAN')).toEqual({ wallet: 'FLAGGED' });
    expect(of('PASS', 'FLAGGED')).toEqual({ wallet: 'FLAGGED' });
    const determinations = [{ id: 'provenance', verdict: 'INCONCLUSIVE' }] as const;
    expect(recordedVerdicts({ verdict: 'FLAGGED', determinations })).toEqual({ provenance: 'INCONCLUSIVE' });
  });
});

describe('an error rate', () => {
  const count = (verdict: OutcomeCount['verdict'], honest: number, fraudulent: number): OutcomeCount => ({
    ...{ determination: 'wallet', by: 'operator', contested: 9 },
    ...{ verdict, honest, fraudulent },
  });

  it('is of CLEAN the share that was fraudulent, and of FLAGGED the share that was honest', () => {
    expect(errorRate(count('CLEAN', 39, 1)).wrongPercent).toBe(2.5);
    expect(errorRate(count('FLAGGED', 1, 39)).wrongPercent).toBe(2.5);
    expect(errorRate(count('INCONCLUSIVE', 39, 1)).wrongPercent).toBeNull();
  });

  it('is not told of too few, and contested records make no number', () => {
    expect(errorRate(count('CLEAN', TOO_FEW - 1, 0)).wrongPercent).toBeNull();
    expect(errorRate(count('CLEAN', TOO_FEW, 0)).wrongPercent).toBe(0);
  });
});
