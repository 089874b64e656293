import { describe, expect, it } from 'vitest';
import { priceOfFile } from '../../evaluation/price-form.ts';
import { marketOf } from '../../market/pricing/valuation.ts';
import { judge } from '../panel/judge.ts';
import type { DeterminationEvidence } from '../panel/types.ts';
import type { PriceCommon } from './price-evidence.ts';

const SOLD = '2026-11-01';
const judged = (common: PriceCommon, at: string) => {
  const seat = (name: string, method: 'rules' | 'statistics') => ({
    ...{ seat: name, method, source: 'the file', limit: '', facts: {}, fault: null },
  });
  const evidence: DeterminationEvidence = {
    ...{ id: 'price-intelligence', rules: 1, at, performer: 'AGENT', depth: '2-of-2' },
    ...{ common, blocks: {}, latencyMs: 1 },
    seats: [seat('rules/viem', 'rules'), seat('statistics/ethers', 'statistics')],
  };
  return judge(evidence);
};
const verdict = (line: object) => {
  const { common, at } = priceOfFile(line);
  return judged(common, at);
};

describe('the price of a thing', () => {
  const jingles = Array.from({ length: 14 }, (_, i) => ({
    priceUsd: 100 + (i % 3),
    soldAt: SOLD,
    genre: 'jingle',
  }));

  it.each([5_000, 100])(
    'of %d dollars is judged by nothing where only the category is the same',
    (priceUsd) => {
      const subject = { category: 'music-and-video-rights', genre: 'film library' };
      expect(verdict({ id: 1, priceUsd, subject, comparables: jingles }).verdict).toBe('INCONCLUSIVE');
    },
  );

  it('was judged so by earlier rules, and evidence of then still is', () => {
    const subject = { category: 'music-and-video-rights', genre: 'film library' };
    const { common, at } = priceOfFile({ id: 1, priceUsd: 101, subject, comparables: jingles });
    const { pricing: _, attributes: __, ...before } = common;
    expect(marketOf(before.comparables ?? [], before.category, at)?.similarity).toBe('same-category');
    expect(judged(before, at).verdict).toBe('CLEAN');
  });

  it('is judged alike by both seats where attributes tell it', () => {
    const cars = Array.from({ length: 80 }, (_, i) => {
      const year = 2010 + (i % 10);
      const [mileage, by] = [10_000 * ((i * 7) % 15), 1 + 0.02 * ((i % 5) - 2)];
      const priceUsd = Math.round(20_000 * 0.92 ** (2020 - year) * Math.exp(-mileage / 300_000) * by);
      return { priceUsd, soldAt: SOLD, make: 'Ford', model: 'Focus', year, mileage };
    });
    const subject = {
      category: 'real-world-assets',
      make: 'ford',
      model: 'focus',
      year: 2015,
      mileage: 70_000,
    };
    const fair = 20_000 * 0.92 ** 5 * Math.exp(-70_000 / 300_000);
    for (const [times, expected] of [
      [1, 'CLEAN'],
      [2, 'FLAGGED'],
      [0.5, 'FLAGGED'],
    ] as const) {
      const found = verdict({ id: 1, priceUsd: Math.round(fair * times), subject, comparables: cars });
      expect([found.verdict, found.panel.votes.map((v) => v.vote)]).toEqual([expected, [expected, expected]]);
    }
  });
});
