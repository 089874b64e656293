import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scoreOf } from '../../agents/determinations/wallet/behaviour/behaviour.ts';
import { BEHAVIOUR_MODEL } from '../../agents/determinations/wallet/behaviour/behaviour-model.ts';
import { fitModel, samplesIn, sharesAt } from '../bench/wallet/behaviour-train.ts';
import { brierSkill, forecasts } from '../bench/wallet/calibration.ts';

/** Labelled addresses; they are no part of the project. */
const DATA = '../shared/data/wallet-behaviour.csv';
const present = existsSync(DATA);
if (!present) process.stdout.write(`${DATA} is absent: the model of behaviour is not measured.\n`);

describe.runIf(present)('the model of behaviour', () => {
  it('is the one that the labelled addresses give, and does on unseen ones what its card says', () => {
    const samples = samplesIn(readFileSync(DATA, 'utf8'));
    const { bias, trees } = fitModel(samples.filter((s) => s.slot < 80));
    expect({ bias, trees }).toEqual({ bias: BEHAVIOUR_MODEL.bias, trees: BEHAVIOUR_MODEL.trees });
    const scored = samples
      .filter((s) => s.slot >= 80)
      .map(({ fraud, features }) => ({ fraud, score: scoreOf(features, BEHAVIOUR_MODEL) }));
    const { benign, recall } = sharesAt(scored, BEHAVIOUR_MODEL.flagAt);
    expect(benign).toBeLessThanOrEqual(0.005);
    expect(recall).toBeCloseTo(BEHAVIOUR_MODEL.card.recall!, 3);
  });

  it('tells probabilities on unseen addresses that are better than the base rate, and come true as often', () => {
    const { unseen } = forecasts(readFileSync(DATA, 'utf8'));
    expect(brierSkill(unseen)).toBeGreaterThan(0.6);
    const sum = (of: (f: (typeof unseen)[number]) => number) => unseen.reduce((all, f) => all + of(f), 0);
    // Of the addresses told, as many are reported as the probabilities add up to, within two standard deviations.
    const expected = sum((f) => f.probability);
    const spread = Math.sqrt(sum((f) => f.probability * (1 - f.probability)));
    expect(Math.abs(sum((f) => Number(f.fraud)) - expected)).toBeLessThan(2 * spread);
  });
});
