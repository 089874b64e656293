import type { Determination } from '../../../agents/determinations/panel/types.ts';
import type { DealTold } from './marketplace.ts';
import { stops } from './owners-choice.ts';

/**
 * Counts deals, and questions about lots, by their outcome. Reasons are `determination/check`, each counted once per
 * deal.
 */
export interface Tally {
  deals: number;
  settled: number;
  stopped: number;
  /** Deals in which a determination of either side was INCONCLUSIVE, whether or not they settled. */
  inconclusive: number;
  /** The side whose panel stopped the deal. */
  readonly stoppedBy: Record<'buyer' | 'seller' | 'both', number>;
  readonly stops: Record<string, number>;
  readonly doubts: Record<string, number>;
  readonly notRun: Record<string, number>;
  /** Lots about which a stranger asked, by verdict, with the reasons. */
  readonly asked: Record<'CLEAN' | 'FLAGGED' | 'INCONCLUSIVE', number>;
  readonly accusations: Record<string, number>;
}

export function emptyTally(): Tally {
  return {
    ...{ deals: 0, settled: 0, stopped: 0, inconclusive: 0 },
    stoppedBy: { buyer: 0, seller: 0, both: 0 },
    stops: {},
    doubts: {},
    notRun: {},
    asked: { CLEAN: 0, FLAGGED: 0, INCONCLUSIVE: 0 },
    accusations: {},
  };
}

export function countDeal(tally: Tally, { settled, sides, notRun }: DealTold): void {
  const all = [...sides.buyer, ...sides.seller];
  const unjudged = all.filter((d) => d.verdict === 'INCONCLUSIVE');
  tally.deals += 1;
  if (settled) tally.settled += 1;
  else tally.stopped += 1;
  if (unjudged.length > 0) tally.inconclusive += 1;
  countEach(tally.doubts, unjudged.flatMap(reasonsOf));
  countEach(tally.notRun, notRun);
  if (settled) return;
  const [bought, sold] = [sides.buyer.some(stops), sides.seller.some(stops)];
  tally.stoppedBy[bought && sold ? 'both' : bought ? 'buyer' : 'seller'] += 1;
  countEach(tally.stops, all.filter(stops).flatMap(reasonsOf));
}

export function countAsked(tally: Tally, told: Determination): void {
  tally.asked[told.verdict] += 1;
  if (told.verdict === 'FLAGGED') countEach(tally.accusations, reasonsOf(told));
}

/** The checks because of which a determination is not CLEAN, or `votes` when only the votes made it so. */
export function reasonsOf({ id, verdict, checks }: Determination): string[] {
  const outcome = verdict === 'FLAGGED' ? 'FLAG' : 'INCONCLUSIVE';
  const named = checks.filter((c) => c.outcome === outcome).map((c) => `${id}/${c.id}`);
  return named.length > 0 ? named : [`${id}/votes`];
}

export function countEach(counts: Record<string, number>, names: readonly string[]): void {
  for (const name of new Set(names)) counts[name] = (counts[name] ?? 0) + 1;
}

/** The sum over all markets. */
export function added(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const tally of tallies) {
    for (const key of ['deals', 'settled', 'stopped', 'inconclusive'] as const) sum[key] += tally[key];
    for (const key of ['stoppedBy', 'stops', 'doubts', 'notRun', 'asked', 'accusations'] as const) {
      const into = sum[key] as Record<string, number>;
      for (const [name, n] of Object.entries(tally[key])) into[name] = (into[name] ?? 0) + n;
    }
  }
  return sum;
}

/**
 * The shares that must be small, between 0 and 1: deals stopped, and lots accused among those that were asked about.
 */
export function wrongShares({ deals, stopped, asked }: Tally): { stopped: number; accused: number } {
  const questions = asked.CLEAN + asked.FLAGGED + asked.INCONCLUSIVE;
  return {
    stopped: deals === 0 ? 0 : stopped / deals,
    accused: questions === 0 ? 0 : asked.FLAGGED / questions,
  };
}
