import { label, type Titles } from '../html/components.ts';
import type { Html } from '../html/html.ts';
import type { ActivityRow } from '../shapes.ts';
import { ACTIVITY } from '../words/agent.ts';
import { RECORD } from '../words/record.ts';

type Row = Pick<ActivityRow, 'summary' | 'subject' | 'withdrawn'>;

/** What a record says of itself, after what became of it. */
export function activitySummary({ summary, withdrawn }: Row): string {
  return withdrawn === undefined ? summary : RECORD.withdrawnSummary(withdrawn, summary);
}

/** How far a record has come, or in its place that it counts no more. */
export function activityState({ state, withdrawn }: ActivityRow): Html {
  return label(withdrawn ?? state, withdrawn === undefined && state === 'anchored' ? 'clean' : 'waiting');
}

/** The class of its step in a timeline: what was withdrawn is marked neither as done nor as on its way. */
export function activityStep({ state, withdrawn }: ActivityRow): string {
  if (withdrawn !== undefined) return '';
  return state === 'anchored' ? 'done' : 'now';
}

/** As {@link activitySummary}, with the lot that it is about where its sentence does not name it. */
export function aboutLot(row: Row, titles: Titles = new Map()): string {
  const summary = activitySummary(row);
  const known = titles.get(row.subject);
  return known === undefined || summary.includes(row.subject)
    ? summary
    : ACTIVITY.ofLot(summary, known.description);
}
