import { titleOf } from '../../agents/determinations/panel/titles.ts';
import { type Column, emptyState, table, verdict } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { VerdictRates } from '../shapes.ts';
import { RATES } from '../words/determination.ts';
import { WORDS } from '../words/every-page.ts';

type Row = VerdictRates['items'][number];

/** The page of error rates: what parties and the operator say turned out, against what was determined. */
export function verdictsPage({ tooFewBelow, items }: VerdictRates): Html {
  const columns: readonly Column<Row>[] = [
    { head: RATES.columns.determination, cell: (r) => titleOf(r.determination) },
    { head: RATES.columns.said, cell: (r) => verdict(r.verdict) },
    { head: RATES.columns.by, cell: (r) => (r.by === 'operator' ? RATES.operator : RATES.parties) },
    { head: RATES.columns.honest, numeric: true, cell: (r) => String(r.honest) },
    { head: RATES.columns.fraudulent, numeric: true, cell: (r) => String(r.fraudulent) },
    { head: RATES.columns.contested, numeric: true, cell: (r) => String(r.contested) },
    { head: RATES.columns.wrong, numeric: true, cell: wrong },
  ];
  const body = html`<h1>${RATES.heading}</h1>
<p class="lead">${RATES.lead(tooFewBelow)}</p>
${table(RATES.caption, columns, items, emptyState(WORDS.empty.outcomes))}
<p class="soft">${RATES.limits}</p>
<p class="acts"><a class="button second" href="/developers">${RATES.how}</a></p>`;
  return page(RATES.heading, body);
}

function wrong({ verdict: said, wrongPercent }: Row): string {
  if (said === 'INCONCLUSIVE') return RATES.accusesNobody;
  return wrongPercent === null ? RATES.tooFew : `${wrongPercent} %`;
}
