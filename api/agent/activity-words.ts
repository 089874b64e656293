import type { Titles } from '../html/components.ts';
import { ACTIVITY } from '../words/agent.ts';

/** What a record says of itself, with the lot that it is about where its sentence does not name it. */
export function aboutLot(
  { summary, subject }: { readonly summary: string; readonly subject: string },
  titles: Titles = new Map(),
): string {
  const known = titles.get(subject);
  return known === undefined || summary.includes(subject)
    ? summary
    : ACTIVITY.ofLot(summary, known.description);
}
