import { titleOf } from '../../agents/determinations/panel/titles.ts';
import { type Column, emptyState, table, verdict } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { VerdictRates } from '../shapes.ts';
import { WORDS } from '../words/every-page.ts';

type Row = VerdictRates['items'][number];

/** The page of error rates: what parties and the operator say turned out, against what was determined. */
export function verdictsPage({ tooFewBelow, items }: VerdictRates): Html {
  const columns: readonly Column<Row>[] = [
    { head: 'Determination', cell: (r) => titleOf(r.determination) },
    { head: 'Said', cell: (r) => verdict(r.verdict) },
    { head: 'By the word of', cell: (r) => (r.by === 'operator' ? 'the operator' : 'parties') },
    { head: 'Honest', numeric: true, cell: (r) => String(r.honest) },
    { head: 'Fraudulent', numeric: true, cell: (r) => String(r.fraudulent) },
    { head: 'Contested', numeric: true, cell: (r) => String(r.contested) },
    { head: 'Wrong', numeric: true, cell: wrong },
  ];
  const body = html`<h1>How verdicts turned out</h1>
<p class="lead">Of CLEAN, wrong is what turned out fraudulent; of FLAGGED, what turned out honest. Below ${tooFewBelow} records there are too few to tell.</p>
${table('Error rates by determination', columns, items, emptyState(WORDS.empty.outcomes))}
<p class="soft">A party of a record says by signature what turned out, once and for good, and so does the operator. Parties speak for themselves, and only of records that somebody cared to speak of, so these are no rates of all verdicts. What is said judges nobody: no determination reads it. Fraud is held against the determination that looks for its kind.</p>
<p class="acts"><a class="button second" href="/developers">How to say what turned out</a></p>`;
  return page('How verdicts turned out', body);
}

function wrong({ verdict: said, wrongPercent }: Row): string {
  if (said === 'INCONCLUSIVE') return 'accuses nobody';
  return wrongPercent === null ? 'too few to tell' : `${wrongPercent} %`;
}
