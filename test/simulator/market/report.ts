import type { Tally } from './tally.ts';
import type { ThiefTally } from './thieves.ts';

interface MarketReport {
  readonly name: string;
  readonly tally: Tally;
  /** Shares between 0 and 1. */
  readonly stopped: number;
  readonly accused: number;
}

/** The result of a run, as `--json` prints it. */
export interface Report {
  readonly seed: string;
  readonly deals: number;
  readonly agents: number;
  readonly markets: readonly MarketReport[];
  readonly all: Tally;
  readonly thieves: readonly ThiefTally[];
}

export function printMarket({ name, tally, stopped, accused }: MarketReport): string[] {
  const { asked, stoppedBy } = tally;
  const questions = asked.CLEAN + asked.FLAGGED + asked.INCONCLUSIVE;
  return [
    `${name}: ${tally.deals} honest deals, ${tally.settled} settled, ${tally.stopped} stopped (${percent(stopped)}; ${stoppedBy.both} by both panels, ${stoppedBy.buyer} by the buyer's alone, ${stoppedBy.seller} by the seller's), ${tally.inconclusive} with something INCONCLUSIVE`,
    ...told('stopped by', tally.stops),
    ...told('INCONCLUSIVE by', tally.doubts),
    ...told('not run', tally.notRun),
    `  lots asked about: ${questions}, ${asked.FLAGGED} accused (${percent(accused)}), ${asked.INCONCLUSIVE} INCONCLUSIVE, ${asked.CLEAN} CLEAN`,
    ...told('accused by', tally.accusations),
  ];
}

export function printThieves(thieves: readonly ThiefTally[]): string[] {
  const counts = ({ FLAGGED, INCONCLUSIVE, CLEAN }: ThiefTally['deals']): string =>
    `${FLAGGED} FLAGGED, ${INCONCLUSIVE} INCONCLUSIVE, ${CLEAN} CLEAN`;
  return thieves.flatMap((t) => [
    `thieves, ${t.kind}: ${t.told} of ${t.groups} told, ${t.doubted} more doubted${t.mustTell ? '' : ' (may look honest)'}`,
    `  deals: ${counts(t.deals)}; lots asked about: ${counts(t.asked)}`,
    ...told('by', t.reasons),
  ]);
}

function told(what: string, counts: Readonly<Record<string, number>>): string[] {
  const sorted = Object.entries(counts).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return sorted.map(([name, n]) => `  ${what} ${name}: ${n}`);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
