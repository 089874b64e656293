import { readEvidence } from '../certificates/dispute.ts';
import type { DeterminationId, Verdict } from '../determinations/panel/types.ts';
import { badField } from '../errors.ts';

/** What turned out of a determination, as somebody who should know says. It is gathered, and judges nobody. */
export const OUTCOMES = ['honest', 'fraudulent'] as const;
export type OutcomeWord = (typeof OUTCOMES)[number];

/** Each kind of fraud, and the determination that looks for it: whether the others were right it does not tell. */
const FOUND_BY = {
  counterparty: 'wallet',
  'shill-bidding': 'shill-collusion',
  'pledged-twice': 'double-pledge',
  'stolen-or-forged': 'provenance',
  'outside-mandate': 'mandate-compliance',
  'false-price': 'price-intelligence',
} as const satisfies Readonly<Record<string, DeterminationId>>;
export type FraudKind = keyof typeof FOUND_BY;
export const FRAUD_KINDS = Object.keys(FOUND_BY) as readonly FraudKind[];

/** The signer of what the operator says; parties sign as their wallets, in lower case. */
export const BY_OPERATOR = 'operator';

export interface SaidOutcome {
  readonly outcome: OutcomeWord;
  readonly kind: FraudKind | null;
  /** Hashes and URLs. */
  readonly evidence: readonly string[];
}

/** @throws AppError bad-request naming the field: fraud needs its kind and evidence, and honesty has no kind */
export function readOutcome(said: {
  readonly outcome: OutcomeWord;
  readonly kind?: FraudKind;
  readonly evidence?: readonly string[];
}): SaidOutcome {
  const { outcome, kind = null } = said;
  const evidence = readEvidence(said.evidence ?? []);
  if (outcome === 'honest') {
    if (kind !== null) throw badField('kind', 'belongs to fraud alone');
    return { outcome, kind: null, evidence };
  }
  if (kind === null) throw badField('kind', `is required of fraud: one of ${FRAUD_KINDS.join(', ')}`);
  if (evidence.length === 0) throw badField('evidence', 'is required of fraud: a hash or a URL');
  return { outcome, kind, evidence };
}

export type Verdicts = Readonly<Partial<Record<DeterminationId, Verdict>>>;

/** The verdicts that an outcome speaks of: honesty of all, fraud of the determination that looks for its kind. */
export function spokenOf(verdicts: Verdicts, { kind }: SaidOutcome): Verdicts {
  if (kind === null) return verdicts;
  const id = FOUND_BY[kind];
  const verdict = verdicts[id];
  return verdict === undefined ? {} : { [id]: verdict };
}

interface RecordedPart {
  readonly id?: DeterminationId;
  readonly verdict?: Verdict;
  readonly checks?: readonly { readonly outcome: string }[];
  readonly panel?: { readonly votes: readonly { readonly vote: Verdict }[] };
}

/**
 * The verdict of each determination, as it was recorded. A wallet's record says FLAGGED also where nothing could be
 * established: its checks and votes tell.
 * @param record the `content.record` of a determination's record
 */
export function recordedVerdicts(record: {
  readonly verdict: 'CLEAN' | 'FLAGGED';
  readonly determinations?: readonly RecordedPart[];
  readonly evidence?: RecordedPart;
}): Verdicts {
  if (record.determinations !== undefined) {
    return Object.fromEntries(record.determinations.map(({ id, verdict }) => [id, verdict]));
  }
  const { checks = [], panel } = record.evidence ?? {};
  const found =
    checks.some((c) => c.outcome === 'FLAG') || (panel?.votes ?? []).some((v) => v.vote === 'FLAGGED');
  return { wallet: record.verdict === 'CLEAN' || found ? record.verdict : 'INCONCLUSIVE' };
}

/** Below this many records with an outcome no rate is told. */
export const TOO_FEW = 30;

/** How many records of one determination and verdict turned out how, as one kind of signer says. */
export interface OutcomeCount {
  readonly determination: DeterminationId;
  readonly verdict: Verdict;
  readonly by: 'operator' | 'parties';
  readonly honest: number;
  readonly fraudulent: number;
  /** Records of which signers say both: they are in neither of the two. */
  readonly contested: number;
}

export interface ErrorRate extends OutcomeCount {
  /** Percent to a tenth: of CLEAN the fraudulent, of FLAGGED the honest. Null: too few to tell, or INCONCLUSIVE. */
  readonly wrongPercent: number | null;
}

/** The share of verdicts that turned out wrong, of those about which nobody disagrees. */
export function errorRate(count: OutcomeCount): ErrorRate {
  const { verdict, honest, fraudulent } = count;
  const told = honest + fraudulent;
  if (verdict === 'INCONCLUSIVE' || told < TOO_FEW) return { ...count, wrongPercent: null };
  const wrong = verdict === 'CLEAN' ? fraudulent : honest;
  return { ...count, wrongPercent: Math.round((1000 * wrong) / told) / 10 };
}
