import { shortened, toneOf, verdict } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import { SUMMARY } from '../words/record.ts';
import { checkName } from './check-names.ts';

/** What is summed up of a determination. */
interface Checked {
  readonly id: string;
  readonly checks: readonly { readonly id: string; readonly outcome: string }[];
}

/** Where a check stands on the page of its determination. */
export function checkAnchor(determination: string, check: string): string {
  return `${determination}-${check}`;
}

/** @returns "17 of 18 checks passed"; empty where there is no check */
export function passedOf(determinations: readonly Checked[]): string {
  const all = determinations.flatMap((d) => d.checks);
  const passed = all.filter((c) => c.outcome === 'PASS').length;
  return all.length === 0 ? '' : SUMMARY.passed(passed, all.length);
}

const MOST_NAMED = 8;
const WIDTH = 100;
/** In the order of the bar, and of the names under it. */
const OUTCOMES = ['FLAG', 'INCONCLUSIVE', 'PASS'] as const;

/**
 * How all checks came out, at one glance: how many of each outcome, a bar of them, and by name whatever did not pass, each
 * a link to its check. Nothing where there is no check.
 */
export function checksSummary(determinations: readonly Checked[]): Html | false {
  const all = determinations.flatMap((d) => d.checks.map((c) => ({ ...c, at: checkAnchor(d.id, c.id) })));
  if (all.length === 0) return false;
  const not = OUTCOMES.slice(0, 2).flatMap((outcome) => all.filter((c) => c.outcome === outcome));
  const left = not.length - MOST_NAMED;
  const named = not
    .slice(0, MOST_NAMED)
    .map(
      ({ id, outcome, at }) =>
        html`<li>${verdict(outcome)} <a href="#${segment(at)}">${shortened(checkName(id).name)}</a></li>`,
    );
  return html`<div class="tally"><p><strong>${passedOf(determinations)}</strong></p>
${counts(all)}
${bar(all)}
${not.length > 0 && html`<ul>${named}${left > 0 && html`<li>${SUMMARY.more(left)}</li>`}</ul>`}</div>`;
}

/** The number of checks of each outcome; what did not happen is not counted. */
function counts(all: readonly { readonly outcome: string }[]): Html {
  const shown = OUTCOMES.flatMap((outcome) => {
    const count = all.filter((c) => c.outcome === outcome).length;
    return count === 0
      ? []
      : [html`<li class="tone-${toneOf(outcome)}"><strong>${count}</strong> ${SUMMARY.counts[outcome]}</li>`];
  });
  return html`<ul class="counts">${shown}</ul>`;
}

/** The words beside it tell the same. */
function bar(all: readonly { readonly outcome: string }[]): Html {
  let x = 0;
  const parts = OUTCOMES.map((outcome) => {
    const width = (all.filter((c) => c.outcome === outcome).length / all.length) * WIDTH;
    const part = html`<rect class="${outcome.toLowerCase()}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="4"/>`;
    x += width;
    return part;
  });
  return html`<svg class="tally-bar" viewBox="0 0 ${WIDTH} 4" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}
