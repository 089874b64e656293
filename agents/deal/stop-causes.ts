import type { Verdict } from '../determinations/panel/types.ts';
import { NO_ANSWER_MS, type StopFinding } from '../market/stops.ts';
import type { Effect } from './effect.ts';

type Side = 'buyer' | 'seller';

/** One reason why a deal was undone. */
export interface StopCause {
  readonly finding: StopFinding;
  /** The side whose finding, mandate or decision it was. `neither`: it was nobody's choice. */
  readonly side: Side | 'neither';
  /** The verdict of a determination; null when the finding is not one. */
  readonly verdict: Verdict | null;
  /** How long the two are kept apart the first time; absent where the finding's own rule says it. */
  readonly barMs?: number;
}

/** A buyer's owner who refuses within this time kept the lot from nobody, and may bid another price at once. */
const AT_ONCE_MS = 60_000;

/** What is known about a deal that is undone. */
export interface UndoneDeal {
  /** The result of each side's determinations under its owner's rules; null when they were not completed. */
  readonly outcomes: Readonly<Record<Side, 'pass' | 'ask' | 'stop' | null>>;
  readonly findings: readonly {
    readonly side: Side;
    readonly determination: string;
    readonly verdict: string;
    /** What the finding caused under its owner's choices. */
    readonly effect: Effect;
  }[];
  /** The sides whose owners decided to stop. */
  readonly stoppedBy: readonly Side[];
  /** How long the lot was kept for the buyer's owner, who was asked, until it answered or its time was over. */
  readonly keptMs?: number;
}

/** Why a deal was undone: every finding that stopped it, or whatever else ended it. There is always a cause. */
export function stopCauses(deal: UndoneDeal): readonly StopCause[] {
  const { outcomes, stoppedBy } = deal;
  const sides = ['buyer', 'seller'] as const;
  const stops = sides.filter((side) => outcomes[side] === 'stop');
  if (stops.length > 0) return stops.flatMap((side) => foundBy(deal, side, 'owner-decision'));
  if (sides.some((side) => outcomes[side] === null)) return [nobodys('not-determined')];
  const asked = sides.filter((side) => outcomes[side] === 'ask');
  const unasked = stoppedBy.filter((side) => !asked.includes(side));
  if (asked.length + unasked.length === 0) return [nobodys('settlement')];
  return [
    ...asked.flatMap((side) => foundBy(deal, side, stoppedBy.length === 0 ? null : 'approval')),
    ...unasked.map((side): StopCause => ({ finding: 'owner-decision', side, verdict: null })),
    ...keptFor(deal, asked),
  ];
}

/**
 * That an owner did not answer, or that the buyer's refused late. It counts beside what was found, because a finding is
 * lifted by another price, another setting or a new mandate, which cost nothing: the lot could be kept from all others
 * without end. What nobody answered was not refused: it may be asked again after a while, at whatever price.
 */
function keptFor({ stoppedBy, keptMs = 0 }: UndoneDeal, asked: readonly Side[]): readonly StopCause[] {
  const unanswered = { finding: 'not-determined', verdict: null } as const;
  if (stoppedBy.length === 0)
    return asked.map((side) =>
      side === 'buyer'
        ? { ...unanswered, side, barMs: Math.max(keptMs, NO_ANSWER_MS) }
        : { ...unanswered, side },
    );
  const isLate = asked.includes('buyer') && stoppedBy.includes('buyer') && keptMs >= AT_ONCE_MS;
  return isLate ? [{ ...unanswered, side: 'buyer', barMs: keptMs }] : [];
}

/**
 * A side's findings, without those that its owner's choice let pass. When there are none, `without` is the cause: the
 * side was stopped or asked for a reason that needs no finding.
 */
function foundBy({ findings }: UndoneDeal, side: Side, without: StopFinding | null): readonly StopCause[] {
  const found = findings.filter((f) => f.side === side && f.effect !== 'proceed');
  if (found.length === 0) return without === null ? [] : [{ finding: without, side, verdict: null }];
  return found.map((f) => ({
    finding: f.determination as StopFinding,
    side,
    verdict: f.verdict as Verdict,
  }));
}

function nobodys(finding: StopFinding): StopCause {
  return { finding, side: 'neither', verdict: null };
}
