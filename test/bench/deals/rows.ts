import type { Usage } from '../measured/usage.ts';
import { type BenchRow, quantile } from '../row.ts';
import type { Course, Round } from './round.ts';

/** Which goals a round is held to: those of eight callers, and of slow blocks. */
export interface Gated {
  readonly eight: boolean;
  readonly slow: boolean;
}

const SPANS: readonly (readonly [string, keyof Course, keyof Course])[] = [
  ['sent → answered', 'sent', 'answered'],
  ['sent → matched', 'sent', 'matched'],
  ['matched → determinations asked for', 'matched', 'asked'],
  ['… → determined, waiting included', 'asked', 'determined'],
  ['… → settlement asked for', 'determined', 'sending'],
  ['… → settled, waiting included', 'sending', 'settled'],
  ['settled → recorded', 'settled', 'recorded'],
  ['recorded → anchored', 'recorded', 'anchored'],
  ['sent → anchored', 'sent', 'anchored'],
];
const SETTLED_MS = 2_000;
const A_SECOND = 15;
const SLOW_A_SECOND = 10;

/** The stages of a round's deals, and how many it made. */
export function stageRows(name: string, round: Round, { eight, slow }: Gated): BenchRow[] {
  const span = (from: keyof Course, to: keyof Course) => {
    const took = round.deals.map((deal) => deal[to] - deal[from]).filter(Number.isFinite);
    return { p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) };
  };
  const whole = span('sent', 'settled');
  const perSecond = round.settled / round.settledSeconds;
  const least = slow ? SLOW_A_SECOND : A_SECOND;
  return [
    {
      name: `${name}: ${round.settled} of ${round.deals.length} deals settled`,
      perSecond,
      ...(round.refused === 0 ? {} : { measured: `${round.refused} orders refused for now (503)` }),
      ...(eight ? { goal: `at least ${least} a second`, ok: perSecond >= least } : {}),
    },
    {
      name: `${name}: sent → settled`,
      ...whole,
      ...(eight && !slow ? { goal: `p50 under ${SETTLED_MS / 1_000} s`, ok: whole.p50Ms < SETTLED_MS } : {}),
    },
    ...SPANS.map(([stage, from, to]): BenchRow => ({ name: `${name}: ${stage}`, ...span(from, to) })),
  ];
}

/**
 * What one deal took of the machine. What goes on at rest in the same span is told apart, and subtracted before it is
 * held to a goal. @param rest what was used in a while at rest
 */
export function costRows(name: string, { used, deals }: Round, rest: Usage, gated: boolean): BenchRow[] {
  const spans = used.atMs / rest.atMs;
  const row = (
    what: string,
    of: (usage: Usage) => number,
    { most, unit = '', grows = false }: { most?: number; unit?: string; grows?: boolean },
  ): BenchRow => {
    // What a vacuum gives back at rest is nobody's deal.
    const beside = grows ? 0 : (of(rest) * spans) / deals.length;
    const value = of(used) / deals.length - beside;
    const shown = (n: number) => `${n.toFixed(1)}${unit}`;
    return {
      name: `${name}: ${what} a deal`,
      measured: grows ? shown(value) : `${shown(value)}, and ${shown(beside)} at rest`,
      ...(gated && most !== undefined
        ? { goal: `at most ${most}${unit}`, ok: Number(value.toFixed(1)) <= most }
        : {}),
    };
  };
  const kB = (n: number) => n / 1_000;
  return [
    row('queries', (u) => u.queries, { most: 60 }),
    row('rows', (u) => u.rows, { most: 20, grows: true }),
    row('tables', (u) => kB(u.tableBytes), { most: 25, unit: ' kB', grows: true }),
    row('WAL', (u) => kB(u.walBytes), { most: 40, unit: ' kB' }),
    row('page images in the WAL', (u) => u.pageImages, {}),
    row('CPU of node', (u) => u.nodeMs, { unit: ' ms' }),
    row('CPU of Postgres', (u) => u.postgresMs, { unit: ' ms' }),
    row('CPU of node and Postgres', (u) => u.nodeMs + u.postgresMs, { most: 70, unit: ' ms' }),
  ];
}
