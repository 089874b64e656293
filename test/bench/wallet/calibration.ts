import { existsSync, readFileSync } from 'node:fs';
import { probabilityOf, scoreOf } from '../../../agents/determinations/wallet/behaviour/behaviour.ts';
import { BEHAVIOUR_MODEL } from '../../../agents/determinations/wallet/behaviour/behaviour-model.ts';
import type { BenchOptions, BenchRow } from '../row.ts';
import { outOfFold, samplesIn } from './behaviour-train.ts';

/** Labelled addresses; they are no part of the project. */
const DATA = '../shared/data/wallet-behaviour.csv';
/** The upper ends of the bins of a reliability table. */
const BINS = [0.02, 0.05, 0.1, 0.3, 0.6, 1] as const;

interface Forecast {
  /** That the address is among the reported ones: the logistic function of the model's score. */
  readonly probability: number;
  readonly fraud: boolean;
}

/**
 * `npm run bench calibration [csv]`: how far the scores of the model of behaviour are probabilities, on addresses that it
 * has not seen: the fifth that is held out, and the others by five folds. Where the data is absent it says so.
 */
export async function benchCalibration({ data = DATA }: BenchOptions): Promise<BenchRow[]> {
  if (!existsSync(data)) {
    console.log(
      `${data} is absent: no labels to calibrate by, skipped. Give the path of labelled addresses.`,
    );
    return [];
  }
  const { unseen, folds } = forecasts(readFileSync(data, 'utf8'));
  return [...rowsOf('held out', unseen), ...rowsOf('by folds', folds)];
}

/** Forecasts for addresses that the model in question has not seen. */
export function forecasts(csv: string): { readonly unseen: Forecast[]; readonly folds: Forecast[] } {
  const samples = samplesIn(csv);
  return {
    unseen: samples
      .filter((s) => s.slot >= 80)
      .map(({ fraud, features }) => forecast({ fraud, score: scoreOf(features, BEHAVIOUR_MODEL) })),
    folds: outOfFold(samples.filter((s) => s.slot < 80)).map(forecast),
  };
}

function forecast({ fraud, score }: { readonly fraud: boolean; readonly score: number }): Forecast {
  return { fraud, probability: probabilityOf(score) };
}

/** One less the Brier score over that of the base rate (Brier, 1950): 1 is perfect, 0 knows nothing but the base rate. */
export function brierSkill(all: readonly Forecast[]): number {
  const base = all.filter((f) => f.fraud).length / all.length;
  const brier = (of: (f: Forecast) => number): number =>
    all.reduce((sum, f) => sum + (of(f) - (f.fraud ? 1 : 0)) ** 2, 0) / all.length;
  return 1 - brier((f) => f.probability) / brier(() => base);
}

function rowsOf(name: string, all: readonly Forecast[]): BenchRow[] {
  const skill = brierSkill(all);
  const base = all.filter((f) => f.fraud).length / all.length;
  const bins = BINS.map((upper, i) => {
    const inside = all.filter((f) => f.probability <= upper && f.probability > (BINS[i - 1] ?? -1));
    const share = (of: (f: Forecast) => number): string =>
      inside.length === 0 ? '–' : percent(inside.reduce((sum, f) => sum + of(f), 0) / inside.length);
    return {
      name: `${name}: probability to ${upper}`,
      measured: `${inside.length} addresses, told ${share((f) => f.probability)}, reported ${share((f) => (f.fraud ? 1 : 0))}`,
    };
  });
  return [
    {
      name: `${name}: Brier skill over the base rate`,
      measured: `${skill.toFixed(3)} of ${all.length} addresses, base rate ${percent(base)}`,
      goal: 'above 0',
      ok: skill > 0,
    },
    ...bins,
  ];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
