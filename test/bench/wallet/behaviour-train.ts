import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  ENOUGH_TRANSFERS,
  FEATURES,
  featuresOf,
  scoreOf,
} from '../../../agents/determinations/wallet/behaviour/behaviour.ts';
import type { Behaviour, Tree } from '../../../agents/determinations/wallet/behaviour/behaviour-form.ts';

/**
 * `npm run train:wallet -- <csv>`: fits the model of behaviour to labelled addresses in the layout of the Ethereum Fraud
 * Detection data, measures it on addresses that it has not seen, and writes it as numbers. Gradient boosting of trees of
 * depth three on log-loss (Friedman, 2001); nothing is drawn at random, so the same file gives the same model.
 */
const MODEL = new URL('../../../agents/determinations/wallet/behaviour/behaviour-model.ts', import.meta.url);
const TREES = 80;
const RATE = 0.1;
const LEAST = 15;
const BINS = 32;
const FOLDS = 5;
/** The share of benign addresses, outside of the fit, that may lie above a threshold. The goal for a flag is 0.005. */
const FLAG_SHARE = 0.0025;
const DOUBT_SHARE = 0.03;

export interface Sample {
  readonly features: readonly number[];
  readonly fraud: boolean;
  /** 0 to 99, from the address alone. */
  readonly slot: number;
}
export interface Model {
  readonly bias: number;
  readonly trees: readonly Tree[];
}

/** Addresses with a history on both sides, each once. @throws Error when a column is missing */
export function samplesIn(csv: string): Sample[] {
  const [heading = '', ...lines] = csv.split(/\r?\n/).filter((line) => line !== '');
  const names = heading.split(',').map((name) => name.trim());
  const column = (name: string): number => {
    const at = names.indexOf(name);
    if (at === -1) throw new Error(`the file has no column "${name}"`);
    return at;
  };
  const at = {
    ...{ address: column('Address'), flag: column('FLAG'), sent: column('Sent tnx') },
    ...{ received: column('Received Tnx'), uniqueTo: column('Unique Sent To Addresses') },
    ...{ uniqueFrom: column('Unique Received From Addresses') },
    ...{ gapSent: column('Avg min between sent tnx'), gapReceived: column('Avg min between received tnx') },
    ...{ minSent: column('min val sent'), avgSent: column('avg val sent'), maxSent: column('max val sent') },
    ...{ minReceived: column('min value received'), avgReceived: column('avg val received') },
    maxReceived: column('max value received'),
  };
  const found = new Map<string, Sample>();
  for (const line of lines) {
    const cells = line.split(',');
    const number = (name: keyof typeof at): number => Number(cells[at[name]] ?? Number.NaN);
    const address = (cells[at.address] ?? '').toLowerCase();
    const behaviour: Behaviour = {
      ...{ chain: 'eip155:1', source: 'the file', complete: true },
      ...{ sent: number('sent'), received: number('received') },
      ...{ uniqueTo: number('uniqueTo'), uniqueFrom: number('uniqueFrom') },
      ...{ gapSent: number('gapSent'), gapReceived: number('gapReceived') },
      ...{ minSent: number('minSent'), avgSent: number('avgSent'), maxSent: number('maxSent') },
      ...{ minReceived: number('minReceived'), avgReceived: number('avgReceived') },
      maxReceived: number('maxReceived'),
    };
    if (behaviour.sent < ENOUGH_TRANSFERS || behaviour.received < ENOUGH_TRANSFERS) continue;
    const features = featuresOf(behaviour);
    if (!features.every(Number.isFinite)) continue;
    const slot = createHash('sha256').update(address).digest().readUInt32BE(0) % 100;
    found.set(address, { features, fraud: cells[at.flag] === '1', slot });
  }
  return [...found.values()];
}

/** Fits a model to the samples. */
export function fitModel(samples: readonly Sample[]): Model {
  const cuts = FEATURES.map((_, f) => cutsOf(samples.map((s) => s.features[f]!)));
  const share = samples.filter((s) => s.fraud).length / samples.length;
  const bias = Math.log(share / (1 - share));
  const scores = samples.map(() => bias);
  const trees: Tree[] = [];
  for (let n = 0; n < TREES; n++) {
    const chance = scores.map((s) => 1 / (1 + Math.exp(-s)));
    const slope = samples.map((s, i) => (s.fraud ? 1 : 0) - chance[i]!);
    const curve = chance.map((p) => p * (1 - p));
    const tree = grow(samples, { cuts, slope, curve });
    trees.push(tree);
    samples.forEach((s, i) => {
      scores[i]! += scoreOf(s.features, { bias: 0, trees: [tree] });
    });
  }
  return { bias: rounded(bias), trees };
}

function cutsOf(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (i: number): number => rounded(sorted[Math.floor((i * sorted.length) / BINS)]!);
  return [...new Set(Array.from({ length: BINS - 1 }, (_, i) => at(i + 1)))];
}

interface Gradients {
  readonly cuts: readonly (readonly number[])[];
  readonly slope: readonly number[];
  readonly curve: readonly number[];
}

function grow(samples: readonly Sample[], gradients: Gradients): Tree {
  const { slope, curve } = gradients;
  const sum = (rows: readonly number[], of: readonly number[]) =>
    rows.reduce((total, i) => total + of[i]!, 0);
  let nodes: number[][] = [samples.map((_, i) => i)];
  const splits: [number, number][] = [];
  for (let level = 0; level < 3; level++) {
    nodes = nodes.flatMap((rows) => {
      const [feature, threshold] = bestSplit(samples, rows, gradients);
      splits.push([feature, threshold]);
      const above = (i: number): boolean => samples[i]!.features[feature]! > threshold;
      return [rows.filter((i) => !above(i)), rows.filter(above)];
    });
  }
  return { splits, leaves: nodes.map((rows) => rounded((RATE * sum(rows, slope)) / (sum(rows, curve) + 1))) };
}

/** The split with the largest gain; one that parts nothing where none gains. */
function bestSplit(
  samples: readonly Sample[],
  rows: readonly number[],
  { cuts, slope, curve }: Gradients,
): [number, number] {
  let best: [number, number] = [0, 1e6];
  let most = 1e-9;
  const worth = (g: number, h: number): number => (g * g) / (h + 1);
  const [g, h] = [slope, curve].map((of) => rows.reduce((total, i) => total + of[i]!, 0)) as [number, number];
  cuts.forEach((own, feature) => {
    for (const cut of own) {
      let [left, weight, count] = [0, 0, 0];
      for (const i of rows)
        if (samples[i]!.features[feature]! <= cut) {
          left += slope[i]!;
          weight += curve[i]!;
          count += 1;
        }
      if (count < LEAST || rows.length - count < LEAST) continue;
      const gain = worth(left, weight) + worth(g - left, h - weight) - worth(g, h);
      if (gain > most) [most, best] = [gain, [feature, cut]];
    }
  });
  return best;
}

const rounded = (value: number): number => Number(value.toFixed(4));

/** The least threshold above which at most this share of the benign scores lies. */
function thresholdAt(benign: readonly number[], share: number): number {
  const sorted = [...benign].sort((a, b) => b - a);
  return rounded((sorted[Math.floor(share * sorted.length)] ?? 0) + 1e-4);
}

/** Scores of samples by models that have not seen them. */
export function outOfFold(samples: readonly Sample[]): { readonly fraud: boolean; readonly score: number }[] {
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const model = fitModel(samples.filter((s) => s.slot % FOLDS !== fold));
    return samples
      .filter((s) => s.slot % FOLDS === fold)
      .map(({ fraud, features }) => ({ fraud, score: scoreOf(features, model) }));
  });
}

/** The shares of benign and of fraudulent ones at or above a threshold. */
export function sharesAt(scored: readonly { fraud: boolean; score: number }[], threshold: number) {
  const of = (fraud: boolean): number => {
    const own = scored.filter((s) => s.fraud === fraud);
    return own.filter((s) => s.score >= threshold).length / Math.max(1, own.length);
  };
  return { benign: of(false), recall: of(true) };
}

function main(): void {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Error('name the file: npm run train:wallet -- wallet-behaviour.csv');
  const samples = samplesIn(readFileSync(file, 'utf8'));
  // A fifth is seen by nothing but the last measure.
  const [known, unseen] = [samples.filter((s) => s.slot < 80), samples.filter((s) => s.slot >= 80)];
  const folds = outOfFold(known);
  const benign = folds.filter((s) => !s.fraud).map((s) => s.score);
  const [flagAt, doubtAt] = [thresholdAt(benign, FLAG_SHARE), thresholdAt(benign, DOUBT_SHARE)];
  const model = fitModel(known);
  const tested = unseen.map(({ fraud, features }) => ({ fraud, score: scoreOf(features, model) }));
  const flag = sharesAt(tested, flagAt);
  const doubt = sharesAt(tested, doubtAt);
  const card = {
    ...{ addresses: samples.length, fraud: samples.filter((s) => s.fraud).length, unseen: unseen.length },
    ...{ benignFlagged: rounded(flag.benign), recall: rounded(flag.recall) },
    ...{ benignDoubted: rounded(doubt.benign), recallInDoubt: rounded(doubt.recall) },
  };
  const tree = ({ splits, leaves }: Tree): string =>
    `    { splits: ${JSON.stringify(splits)},\n      leaves: ${JSON.stringify(leaves)} },`.replaceAll(
      ',',
      ', ',
    );
  writeFileSync(
    MODEL,
    `import type { Behaviour, Tree } from './behaviour-form.ts';

/**
 * Made by \`npm run train:wallet\`; docs/verdicts.md holds its card. Log-odds by trees of depth three: an address is
 * doubted, or flagged, from these scores on.
 */
// biome-ignore format: numbers, a tree in two lines
export const BEHAVIOUR_MODEL: {
  readonly bias: number;
  readonly flagAt: number;
  readonly doubtAt: number;
  readonly card: Readonly<Record<string, number>>;
  readonly trees: readonly Tree[];
} = {
  bias: ${model.bias},
  flagAt: ${flagAt},
  doubtAt: ${doubtAt},
  card: ${JSON.stringify(card).replaceAll('"', '').replaceAll(',', ', ').replaceAll(':', ': ')},
  trees: [
${model.trees.map(tree).join('\n')}
  ],
};
`,
  );
  console.log(JSON.stringify({ ...card, flagAt, doubtAt, outOfFold: sharesAt(folds, flagAt) }, null, 2));
}

if (process.argv[1]?.endsWith('behaviour-train.ts')) main();
