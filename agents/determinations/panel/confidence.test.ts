import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evaluateLine, type VerdictLine } from '../../evaluation/evaluate-line.ts';
import { confidenceOf } from './confidence.ts';
import { judge } from './judge.ts';
import type { RegisterState } from './lists.ts';
import type { DeterminationEvidence, Outcome, RecordEvidence } from './types.ts';

const folder = new URL('../../../test/fixtures/evidence/', import.meta.url);
function kept(name: string): DeterminationEvidence {
  const text = readFileSync(new URL(`${name}.json`, folder), 'utf8');
  return (JSON.parse(text) as { evidence: RecordEvidence }).evidence.determinations[0]!;
}
const of = (evidence: DeterminationEvidence) => {
  const { verdict, confidence, confidenceBasis } = judge(evidence);
  expect(confidenceBasis).toBe('uncalibrated');
  return [verdict, confidence] as const;
};
const now = (evidence: DeterminationEvidence): DeterminationEvidence => ({ ...evidence, confidence: 2 });

/** The same evidence with lists that are so many days older. */
function older(evidence: DeterminationEvidence, days: number): DeterminationEvidence {
  const common = evidence.common as { sanctions: RegisterState; knownScam: RegisterState };
  const aged = (register: RegisterState): RegisterState => ({
    ...register,
    lists: register.lists.map((list) => ({
      ...list,
      asOf: new Date(Date.parse(evidence.at) - days * 86_400_000).toISOString(),
    })),
  });
  return {
    ...evidence,
    common: { ...common, sanctions: aged(common.sanctions), knownScam: aged(common.knownScam) },
  };
}

const PLAIN = kept('wallet-1-plain-2-of-2');
const LISTED = kept('wallet-1-proxy-to-listed');

/** What `judge price` makes of so many sales at the same price. */
function priced(sales: number, priceUsd = 20_000): VerdictLine {
  const car = { category: 'real-world-assets', make: 'Ford', model: 'F-150', year: 2018 };
  const comparables = Array.from({ length: sales }, (_, i) => ({
    ...{ priceUsd: 19_000 + 2_000 * (i / sales), soldAt: `2026-11-${String(1 + (i % 20)).padStart(2, '0')}` },
    ...{ make: 'Ford', model: 'F-150', year: 2018 },
  }));
  const line = JSON.stringify({ id: 'one', priceUsd, subject: car, comparables });
  return evaluateLine('price-intelligence', line, 1, '2-of-2') as VerdictLine;
}

describe('the confidence of an answer', () => {
  it('is that of before for evidence of before, which knew depth and agreement alone', () => {
    expect(of(PLAIN)).toEqual(['CLEAN', 85]);
    expect(of(older(PLAIN, 5))).toEqual(['CLEAN', 85]);
    expect(of(LISTED)).toEqual(['FLAGGED', 99]);
  });

  it('is that of now in what `judge` tells of a file, whatever the release of its evidence', () => {
    const told = evaluateLine('wallet', JSON.stringify({ id: 1, evidence: PLAIN }), 1) as VerdictLine;
    expect([told.verdict, told.confidence]).toEqual(of(now(PLAIN)));
    expect(told.confidence).not.toBe(85);
  });

  it('is lower, the older the lists are', () => {
    const by = [0, 1, 3, 6].map((days) => of(older(now(PLAIN), days))[1]);
    expect(by).toEqual([...by].sort((a, b) => b - a));
    expect(new Set(by).size).toBeGreaterThan(2);
    expect(by[0]).toBeLessThanOrEqual(85);
  });

  it('is lower where fewer checks ran, and nothing where nothing could be judged', () => {
    const check = (outcome: Outcome, n: number) => ({ id: `check ${n}`, outcome, detail: '', sources: [] });
    const from = (outcomes: readonly Outcome[]) =>
      confidenceOf(now(PLAIN), {
        ...{ verdict: 'FLAGGED', hard: false, sample: null, doubt: 0 },
        votes: [{ seat: 'a', method: 'rules', source: '', vote: 'FLAGGED', reasons: [] }],
        checks: outcomes.map(check),
      });
    const two: Outcome[] = ['FLAG', 'PASS'];
    expect(from(two)).toBeLessThan(from([...two, 'PASS', 'PASS', 'PASS']));
    expect(from([...two, 'INCONCLUSIVE'])).toBeLessThan(from(two));
    const unread = PLAIN.seats.map((s) => ({ ...s, facts: null, fault: 'it did not answer' }));
    expect(of(now({ ...PLAIN, seats: unread }))).toEqual(['INCONCLUSIVE', 0]);
  });

  it('varies with hard flags, too, and keeps them above all else', () => {
    const [fresh, old] = [of(now(LISTED)), of(older(now(LISTED), 6))];
    expect([fresh[0], old[0]]).toEqual(['FLAGGED', 'FLAGGED']);
    expect(fresh[1]).toBeGreaterThan(old[1]);
    for (const [, confidence] of [fresh, old]) {
      expect(confidence).toBeGreaterThanOrEqual(90);
      expect(confidence).toBeLessThanOrEqual(99);
    }
    const alone = LISTED.seats.map((s) =>
      s.seat === 'statistics/ethers' ? { ...s, facts: null, fault: 'late' } : s,
    );
    expect(of(now({ ...LISTED, seats: alone }))[1]).toBeLessThan(fresh[1]);
  });

  it('grows with the sales that a price is compared with', () => {
    const by = [9, 12, 30, 100].map((sales) => priced(sales));
    expect(by.map((b) => b.verdict)).toEqual(by.map(() => 'CLEAN'));
    const confidences = by.map((b) => b.confidence);
    expect(confidences).toEqual([...confidences].sort((a, b) => a - b));
    expect(confidences[3]).toBeGreaterThan(confidences[0]!);
  });
});
