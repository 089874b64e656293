import type { Hex } from '../../canonical.ts';
import type { Category } from '../../categories.ts';
import type { OriginResult } from '../origin/origin-shape.ts';
import type { TransactionResult } from '../transaction/transaction-shape.ts';
import type { Coverage } from '../wallet/coverage-shape.ts';

/**
 * Words: *evidence* is what was gathered (JSON, kept with the record); a *seat* is one determiner, a method over one
 * reader; a *vote* is what a seat decides; a *check* is one named question with its sources; a *determination* is the
 * result of a panel of seats; a *record* combines several determinations.
 */

export type Outcome = 'PASS' | 'FLAG' | 'INCONCLUSIVE';
export type RecordVerdict = 'CLEAN' | 'FLAGGED';
export type Verdict = RecordVerdict | 'INCONCLUSIVE';
export type Depth = '1-of-1' | '2-of-2' | 'superconsensus';
/** An EXECUTOR runs deterministic checks only, has no depth and gives no reasoning. */
export type Performer = 'AGENT' | 'EXECUTOR';
/** `llm`: a language model reads what its seat read, and may only tighten the vote of that seat's own method. */
export type Method = 'rules' | 'statistics' | 'adversarial' | 'llm';

export const TIER_DETERMINATIONS = [
  'shill-collusion',
  'double-pledge',
  'provenance',
  'mandate-compliance',
  'price-intelligence',
] as const;
export type DeterminationId = (typeof TIER_DETERMINATIONS)[number] | 'wallet';

/** `uncalibrated`: an order of more and less, and no probability. Records of earlier releases do not say it, and are. */
export const CONFIDENCE_BASES = ['uncalibrated'] as const;
export type ConfidenceBasis = (typeof CONFIDENCE_BASES)[number];

/** A probability that known outcomes fit; what it is of, and to how many labels it was fitted. */
export interface FittedProbability {
  /** The check that tells it. */
  readonly check: string;
  /** CAIP-2. */
  readonly chain: string;
  readonly of: string;
  /** 0 to 1. */
  readonly probability: number;
  readonly labels: number;
}

/** The source of an answer, its date (ISO 8601), and what that source cannot say. */
export interface Source {
  readonly name: string;
  readonly asOf: string;
  readonly limit: string;
}

export interface Check {
  readonly id: string;
  readonly outcome: Outcome;
  /** A hard flag needs no vote: a single seat that sees it decides. */
  readonly hard?: boolean;
  readonly detail: string;
  readonly sources: readonly Source[];
}

export interface Vote {
  readonly seat: string;
  readonly method: Method;
  readonly source: string;
  readonly vote: Verdict;
  /** The seat raised a hard flag, which needs no vote. Absent otherwise, and in records of earlier releases. */
  readonly hard?: true;
  readonly reasons: readonly string[];
}

/** The block at which each chain was read, by CAIP-2 chain. */
export type PinnedBlocks = Readonly<Record<string, PinnedBlock>>;
export interface PinnedBlock {
  readonly number: string;
  readonly hash: Hex;
  /** ISO 8601, the block's own time. */
  readonly at: string;
}

export interface Panel {
  readonly depth: Depth | null;
  readonly seats: number;
  readonly quorum: number;
  readonly votes: readonly Vote[];
  /** One sentence for each seat that did not vote as the panel decided, with the reason. */
  readonly dissent: readonly string[];
  readonly block: PinnedBlocks;
  readonly latencyMs: number;
}

export interface TraceStep {
  readonly step: number;
  readonly seat: string;
  readonly claim: string;
  readonly rule: string;
  readonly input: string;
  readonly outcome: string;
}

export interface Determination {
  readonly id: DeterminationId;
  readonly verdict: Verdict;
  /** 0 to 100; 0 when nothing could be established. */
  readonly confidence: number;
  /** What the confidence is: points by depth, agreement and what was read. No labels of outcomes fit it. */
  readonly confidenceBasis: ConfidenceBasis;
  readonly checks: readonly Check[];
  readonly reasons: readonly string[];
  /** How far it looked; of a wallet only, and absent in records of earlier releases. */
  readonly coverage?: Coverage;
  readonly evidence: DeterminationEvidence;
  readonly panel: Panel;
  /** Tier 3 only. */
  readonly trace?: readonly TraceStep[];
}

/** What one seat read through its own reader; `facts` is null and `fault` is set when it could not read. */
export interface SeatReading<Facts = unknown> {
  readonly seat: string;
  readonly method: Method;
  /** The reader and where it read, such as `viem over 127.0.0.1:8545`. */
  readonly source: string;
  readonly limit: string;
  readonly facts: Facts | null;
  readonly fault: string | null;
  /** What this seat's language model said about the facts; only in a seat that has one. */
  readonly heard?: Heard;
}

/** A language model's answer as it was recorded, or the reason why there is none. */
export interface Heard {
  /** The model and the host that ran it. */
  readonly by: string;
  readonly vote: Verdict | null;
  readonly reasons: readonly string[];
  /** Why there is no vote. */
  readonly silence: string | null;
}

/** Everything on which a verdict is based, as JSON: `judge(evidence)` always gives the same determination. */
export interface DeterminationEvidence<Common = unknown, Facts = unknown> {
  readonly id: DeterminationId;
  /** The version of the rules that judge it. */
  readonly rules: 1;
  /** ISO 8601: when it was gathered. */
  readonly at: string;
  readonly performer: Performer;
  readonly depth: Depth | null;
  /**
   * From 2 on a fact of the adversary denies CLEAN; 3: accounts that live on a listed address's money are one only by what they
   * paid together. Absent in evidence of earlier releases, where it only dissented.
   */
  readonly adversary?: 2 | 3;
  /** 2: the confidence varies with what was read. Absent in evidence of earlier releases, where it did not. */
  readonly confidence?: 2;
  /**
   * 2: a chain that only one client read was not agreed on. Absent in evidence of earlier releases, which counted
   * contradictions alone.
   */
  readonly agreement?: 2;
  /** How many seats have a language model; absent: none. */
  readonly models?: number;
  /** Facts that no chain holds, shared by all seats: the request, register look-ups, the platform's own rows. */
  readonly common: Common;
  readonly blocks: PinnedBlocks;
  readonly seats: readonly SeatReading<Facts>[];
  readonly latencyMs: number;
}

/** `GET` and `POST /determination` without `recorded`, which filing adds. */
export interface WalletRecord {
  readonly verdict: RecordVerdict;
  readonly address: string;
  readonly addressType: 'evm' | 'solana';
  readonly chainId: number | null;
  readonly confidence: number;
  readonly confidenceBasis: ConfidenceBasis;
  /** What single checks tell as probabilities; absent where none does. */
  readonly probabilities?: readonly FittedProbability[];
  readonly reasons: readonly string[];
  readonly checks: readonly string[];
  /** The determination, and the checks as `determination/check`, that are INCONCLUSIVE. */
  readonly inconclusive: readonly string[];
  readonly coverage: Coverage;
  /** Where a transaction was named: what it would do. */
  readonly simulation?: TransactionResult['simulation'];
  readonly assetChanges?: TransactionResult['assetChanges'];
  /** Where an origin was named. */
  readonly origin?: OriginResult;
  readonly evidence: {
    readonly checks: readonly Omit<Check, 'hard'>[];
    readonly panel: Panel;
    readonly gathered: DeterminationEvidence;
  };
}

export type Recorded =
  | {
      readonly filed: true;
      readonly recordId: string;
      readonly recordUrl: string;
      readonly ledger: { readonly chainId: number; readonly contract: string; readonly state: 'inscribing' };
    }
  | { readonly filed: false; readonly reason: 'chain-not-named' | 'chain-not-known' };

/** The tier evaluation record; `deal` is what an agent determines for its own deal. */
export interface TierRecord {
  readonly tier: 'tier2' | 'tier3' | 'deal';
  readonly category: Category;
  readonly priceUsd?: number;
  readonly verdict: RecordVerdict;
  readonly flagged: readonly string[];
  readonly inconclusive: readonly string[];
  readonly determinations: readonly Determination[];
  readonly determinationsRun: readonly DeterminationId[];
  readonly determinationsNotRun: readonly DeterminationId[];
  readonly note?: string;
}

/** What is kept with a record so that anyone can judge it again. */
export interface RecordEvidence {
  readonly kind: 'wallet' | 'tier2' | 'tier3' | 'deal';
  readonly determinations: readonly DeterminationEvidence[];
}
