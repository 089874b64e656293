import { check } from '../../panel/judging.ts';
import type { Check, FittedProbability, Source } from '../../panel/types.ts';
import type { WalletCommon } from '../wallet-evidence.ts';
import type { Behaviour, Tree } from './behaviour-form.ts';
import { BEHAVIOUR_MODEL } from './behaviour-model.ts';

/** Fewer transfers in one direction are no history, and newness is held against nobody. */
export const ENOUGH_TRANSFERS = 5;

/** A movement of value from or to the address; `at` in milliseconds. */
export interface Movement {
  readonly from: string;
  readonly to: string;
  readonly value: number;
  readonly at: number;
}

/** The behaviour of an address in its movements, which may be in any order. Those of no value are left out. */
export function behaviourOf(
  address: string,
  movements: readonly Movement[],
  read: Pick<Behaviour, 'chain' | 'source' | 'complete'>,
): Behaviour {
  const worth = movements.filter((m) => m.value > 0 && m.from !== m.to);
  const out = side(worth.filter((m) => m.from === address));
  const into = side(worth.filter((m) => m.to === address));
  return {
    ...read,
    ...{ sent: out.count, uniqueTo: new Set(out.all.map((m) => m.to)).size, gapSent: out.gap },
    ...{ received: into.count, uniqueFrom: new Set(into.all.map((m) => m.from)).size, gapReceived: into.gap },
    ...{ minSent: out.min, avgSent: out.avg, maxSent: out.max },
    ...{ minReceived: into.min, avgReceived: into.avg, maxReceived: into.max },
  };
}

function side(all: readonly Movement[]) {
  const count = all.length;
  const values = all.map((m) => m.value);
  const times = all.map((m) => m.at);
  const span = count < 2 ? 0 : (Math.max(...times) - Math.min(...times)) / 60_000;
  return {
    all,
    count,
    gap: count < 2 ? 0 : span / (count - 1),
    min: count === 0 ? 0 : Math.min(...values),
    max: count === 0 ? 0 : Math.max(...values),
    avg: count === 0 ? 0 : values.reduce((sum, v) => sum + v, 0) / count,
  };
}

/** The names of the features, in the order of {@link featuresOf}. Age, volume and balance are none of them. */
export const FEATURES = [
  'received to sent, by count',
  'senders among what it received',
  'receivers among what it sent',
  'minutes between two that it sent',
  'minutes between two that it received',
  'largest to average received',
  'smallest to average received',
  'largest to average sent',
  'smallest to average sent',
  'average sent to average received',
] as const;

export function featuresOf(b: Behaviour): number[] {
  return [
    Math.log((b.received + 1) / (b.sent + 1)),
    b.uniqueFrom / Math.max(1, b.received),
    b.uniqueTo / Math.max(1, b.sent),
    Math.log1p(b.gapSent),
    Math.log1p(b.gapReceived),
    ratio(b.maxReceived, b.avgReceived),
    ratio(b.minReceived, b.avgReceived),
    ratio(b.maxSent, b.avgSent),
    ratio(b.minSent, b.avgSent),
    ratio(b.avgSent, b.avgReceived),
  ];
}

function ratio(one: number, other: number): number {
  const least = 1e-6 * Math.max(one, other, Number.MIN_VALUE);
  return Math.log((one + least) / (other + least));
}

/** The sum of the trees' leaves that the features reach, on the scale of log-odds. */
export function scoreOf(
  features: readonly number[],
  model: { readonly bias: number; readonly trees: readonly Tree[] },
): number {
  return model.trees.reduce((sum, { splits, leaves }) => {
    let at = 0;
    for (let level = 0; level < 3; level++) {
      const [feature, threshold] = splits[at]!;
      at = 2 * at + (features[feature]! > threshold ? 2 : 1);
    }
    return sum + leaves[at - splits.length]!;
  }, model.bias);
}

/**
 * The probability that an address with this score is among the reported ones, where as many are reported as in the data
 * that the model was fitted to. `npm run bench calibration` measures how far it is one.
 */
export function probabilityOf(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

/** What the model says of a behaviour; null where it has too little to say anything. */
export function behaviourVoice(
  behaviour: Behaviour,
): { readonly score: number; readonly says: 'flag' | 'doubt' | 'usual' } | null {
  if (behaviour.sent < ENOUGH_TRANSFERS || behaviour.received < ENOUGH_TRANSFERS) return null;
  const score = scoreOf(featuresOf(behaviour), BEHAVIOUR_MODEL);
  const { flagAt, doubtAt } = BEHAVIOUR_MODEL;
  return { score, says: score >= flagAt ? 'flag' : score >= doubtAt ? 'doubt' : 'usual' };
}

/** The behaviours that could be read, a chain each. */
export function behaviours({ transfers }: Pick<WalletCommon, 'transfers'>): readonly Behaviour[] {
  return (transfers?.histories ?? []).flatMap((h) => h.behaviour ?? []);
}

/** What must be said wherever the model speaks. */
const BIAS =
  'one statistical voice, fitted to reported frauds and to benign addresses of Ethereum that were collected otherwise; it knows no age, volume or balance, and none of the rules rests on it';

/** Tells what the model says. It is no finding of the rules: only the statistics weigh it. */
export function behaviourCheck(all: readonly Behaviour[], at: string): Check {
  const { flagAt, card } = BEHAVIOUR_MODEL;
  const sources = all.map(
    ({ source, chain, complete }): Source => ({
      name: `${source}, ${chain}`,
      asOf: at,
      limit: `${complete ? '' : 'not the whole history; '}${BIAS}`,
    }),
  );
  const told = all.map((behaviour) => {
    const voice = behaviourVoice(behaviour);
    const { chain, sent, received } = behaviour;
    return voice === null
      ? `too short a history on ${chain} to say anything: ${sent} sent, ${received} received`
      : `${voice.score.toFixed(2)} on ${chain}, a probability of ${percent(probabilityOf(voice.score))} where ${percent(card.fraud! / card.addresses!)} are reported; the statistics flag from ${flagAt} on, as ${percent(card.benignFlagged)} of benign addresses and ${percent(card.recall)} of reported ones did that it had not seen`;
  });
  return check('behaviour', 'PASS', told.join('; '), sources);
}

/** What the model tells as a probability, of each chain on which it has enough to say anything. */
export function behaviourProbabilities(all: readonly Behaviour[]): FittedProbability[] {
  return all.flatMap((behaviour) => {
    const voice = behaviourVoice(behaviour);
    if (voice === null) return [];
    const probability = Math.round(probabilityOf(voice.score) * 1_000) / 1_000;
    const labels = BEHAVIOUR_MODEL.card.addresses ?? 0;
    return [{ check: 'behaviour', chain: behaviour.chain, of: 'reported for fraud', probability, labels }];
  });
}

function percent(share: number | undefined): string {
  return `${((share ?? 0) * 100).toFixed(1)} percent`;
}

/** The strongest of what the model says: of one flag the statistics vote FLAGGED, and doubt lowers the confidence. */
export function behaviourScore(all: readonly Behaviour[]): {
  readonly flags: number;
  readonly doubt: number;
} {
  const voices = all.map((behaviour) => behaviourVoice(behaviour)?.says);
  return { flags: voices.filter((v) => v === 'flag').length, doubt: voices.includes('doubt') ? DOUBT : 0 };
}

/** Points of confidence that a doubt costs. */
const DOUBT = 15;
