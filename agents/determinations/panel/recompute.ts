import { judge } from './judge.ts';
import { rollVerdict } from './rollup.ts';
import type { Determination, DeterminationId, RecordEvidence, RecordVerdict, Verdict } from './types.ts';

export interface Recomputed {
  readonly verdict: RecordVerdict;
  readonly determinations: readonly { readonly id: DeterminationId; readonly verdict: Verdict }[];
}

/** Judges a record again from the evidence kept with it, without asking a chain, a register or a clock. */
export function recompute(evidence: RecordEvidence): Recomputed {
  const determinations = evidence.determinations.map((e) => judge(e));
  return {
    verdict: rollVerdict(determinations),
    determinations: determinations.map(({ id, verdict }) => ({ id, verdict })),
  };
}

/** What a record says, and what its evidence gives now. */
export interface Rejudged {
  readonly recorded: RecordVerdict;
  readonly verdict: RecordVerdict;
  readonly determinations: readonly RejudgedPart[];
}

interface RejudgedPart {
  readonly id: DeterminationId;
  /** Null when the record holds one determination and its verdict is the record's own. */
  readonly recorded: Verdict | null;
  readonly verdict: Verdict;
  /** Whether every check and every vote came out as recorded. */
  readonly same: boolean;
}

/**
 * Judges a determination's record again and compares the result with what the record says.
 * @param content the `content` of the public record
 * @returns null when this is not a record of a determination with its evidence
 * @throws TypeError when the evidence does not have the form of evidence, so that no verdict can be computed
 */
export function rejudge(content: unknown, evidence: unknown): Rejudged | null {
  const record = (content as { record?: Recorded } | null)?.record;
  const kept = evidence as RecordEvidence | null;
  if (record?.verdict === undefined || !Array.isArray(kept?.determinations)) return null;
  const determinations = kept.determinations.map((e) => judge(e));
  const parts = record.determinations ?? (record.evidence === undefined ? [] : [record.evidence]);
  return {
    recorded: record.verdict,
    verdict: rollVerdict(determinations),
    determinations: determinations.map((d) => {
      const said = parts.find((p) => p.id === undefined || p.id === d.id);
      return {
        id: d.id,
        recorded: said?.verdict ?? null,
        verdict: d.verdict,
        same: said !== undefined && parts.length === determinations.length && alike(said, d),
      };
    }),
  };
}

interface Recorded {
  readonly verdict?: RecordVerdict;
  /** In the record of a tier or a deal. */
  readonly determinations?: readonly RecordedPart[];
  /** In the record of a wallet. */
  readonly evidence?: RecordedPart;
}

type RecordedPart = Partial<Pick<Determination, 'id' | 'verdict'>> & Pick<Determination, 'checks' | 'panel'>;

function alike(said: RecordedPart, judged: Determination): boolean {
  const outcome = ({ checks, panel }: RecordedPart): string =>
    JSON.stringify([checks.map((c) => [c.id, c.outcome]), panel.votes.map((v) => [v.seat, v.vote])]);
  return (said.verdict ?? judged.verdict) === judged.verdict && outcome(said) === outcome(judged);
}
