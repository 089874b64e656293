import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBids } from '../../agents/determinations/shill/shill-bids.ts';
import { BID_RULES, figuresOf, scoreBid } from '../../agents/determinations/shill/shill-model.ts';
import { crossValidate, growTree, rulesOf } from '../bench/shill/shill-tree.ts';

/** Labelled bids of real auctions; they are no part of the project. */
const DATA = '../shared/data/shill-bids.csv';
const present = existsSync(DATA);
if (!present) process.stdout.write(`${DATA} is absent: the model is not measured on real bids.\n`);

describe.runIf(present)('the model of bids, on labelled bids of real auctions', () => {
  const rows = present ? readBids(readFileSync(DATA, 'utf8')) : [];

  it('is the one that its training script grows', () => {
    const { rules } = rulesOf(growTree(rows));
    const text = (when: (typeof BID_RULES)[number]['when']) =>
      when.map(([name, is, at]) => `${name} ${is} ${at.toPrecision(4)}`).sort();
    const shown = (all: readonly Pick<(typeof BID_RULES)[number], 'when' | 'met'>[]) =>
      all.map(({ when, met }) => ({ when: text(when), met })).sort((a, b) => b.met[0] - a.met[0]);
    expect(shown(BID_RULES)).toEqual(shown(rules));
  });

  it('would find shills among bidders never seen: F1 at least 0.95 at no more than 1 percent false positives', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const figures = crossValidate(rows, 5, seed);
      expect(figures.f1, `seed ${seed}`).toBeGreaterThanOrEqual(0.95);
      expect(figures.falsePositiveRate, `seed ${seed}`).toBeLessThanOrEqual(0.01);
    }
  });

  it('keeps what it learnt in four rules', () => {
    const figures = figuresOf(
      rows.map((r) => ({ guess: scoreBid(r.features).shill, truth: r.shill === true })),
    );
    expect(figures.f1).toBeGreaterThan(0.98);
    expect(figures.falsePositiveRate).toBeLessThan(0.001);
  });
});
