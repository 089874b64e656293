import { addMonths, DAY_MS, dayWords, instant } from '../terms/instants.ts';
import type { Mandate } from '../terms/schema.ts';
import { type Ask, type Fact, factsOf } from './facts.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  fortnight: 14 * DAY_MS,
};
const LAST_MS = Date.UTC(2200, 0, 1);

/**
 * Works out when the mandate is valid; null when a question is open. A duration counts from the start, or from `refMs`.
 */
export function resolveTimes(
  facts: readonly Fact[],
  refMs: number,
  ask: Ask,
): Pick<Mandate, 'not_before' | 'expires_at'> | null {
  const starts = [...new Set(factsOf(facts, 'starts').map((fact) => fact.ms))];
  if (starts.length > 1)
    ask('AMBIGUOUS_DATE', `Does the mandate start on ${starts.map(dayWords).join(' or on ')}?`);
  const start = starts[0];
  const ends = factsOf(facts, 'ends').map((fact) => fact.ms);
  for (const span of factsOf(facts, 'lasts')) {
    const end = after(start ?? refMs, span.count, span.unit);
    if (end === null) ask('AMBIGUOUS_DATE', `On which date does "${span.text}" end?`);
    else ends.push(end);
  }
  const distinct = [...new Set(ends.map((ms) => Math.floor(ms / 1000)))];
  if (distinct.length > 1)
    ask(
      'AMBIGUOUS_DATE',
      `Does the mandate end on ${distinct.map((s) => dayWords(s * 1000)).join(' or on ')}?`,
    );
  const end = ends[0];
  if (end === undefined) {
    const asked = facts.some(
      (f) => f.fact === 'ask' && (f.reason === 'AMBIGUOUS_DATE' || f.reason === 'NO_EXPIRY'),
    );
    const failed = factsOf(facts, 'lasts').length > 0;
    if (!asked && !failed) ask('NO_EXPIRY', 'On which date does the mandate expire?');
    return null;
  }
  if (end <= refMs) ask('EXPIRY_IN_PAST', `${dayWords(end)} is past. On which date does the mandate expire?`);
  else if (start !== undefined && start >= end)
    ask(
      'AMBIGUOUS_DATE',
      `The mandate would start on ${dayWords(start)}, after it has ended. Which dates are meant?`,
    );
  return { ...(start === undefined ? {} : { not_before: instant(start) }), expires_at: instant(end) };
}

function after(from: number, count: number, unit: string): number | null {
  if (count > 100_000) return null;
  const months = unit === 'month' ? count : unit === 'year' ? count * 12 : null;
  if (months !== null && !Number.isInteger(months)) return null;
  const size = UNIT_MS[unit];
  const end =
    months !== null ? addMonths(from, months) : size === undefined ? null : from + Math.round(count * size);
  return end === null || end >= LAST_MS ? null : end;
}
