import { scaleLinear, scaleTime } from 'd3-scale';
import { line } from 'd3-shape';
import { money, when } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import type { MatchRow } from '../shapes.ts';
import { SALES } from '../words/lot.ts';

const WIDTH = 720;
const HEIGHT = 240;
const [LEFT, RIGHT, TOP, BOTTOM] = [80, 20, 16, 36];

/** The prices at which lots of a kind were sold, over time, beside what is asked now. @param sales newest first */
export function salesPlot(sales: readonly MatchRow[], askedUsd: number): Html {
  const dots = sales
    .flatMap((s) =>
      s.clearingPriceUsd === undefined
        ? []
        : [{ at: new Date(s.settledAt ?? s.matchedAt), usd: s.clearingPriceUsd }],
    )
    .reverse();
  if (dots.length === 0) return html`<div class="card empty"><p>${SALES.none}</p></div>`;
  const [first, last] = [dots[0]!.at.getTime(), dots.at(-1)!.at.getTime()];
  // A single sale stands in the middle.
  const x = scaleTime(first === last ? [first - 1, last + 1] : [first, last], [LEFT, WIDTH - RIGHT]);
  const most = Math.max(askedUsd, ...dots.map((d) => d.usd));
  const y = scaleLinear([0, most * 1.1], [HEIGHT - BOTTOM, TOP]).nice();
  const path = line<(typeof dots)[number]>(
    (d) => x(d.at),
    (d) => y(d.usd),
  ).digits(1)(dots);
  const asked = y(askedUsd).toFixed(1);
  const told = day(first) === day(last) ? minute : day;
  const [from, to] = first === last ? [minute(first), ''] : [told(first), told(last)];
  return html`<price-plot><figure class="plot"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="sales-title">
<title id="sales-title">${SALES.title(dots.length, Math.min(...dots.map((d) => d.usd)), Math.max(...dots.map((d) => d.usd)), askedUsd)}</title>
${y.ticks(4).map((t) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(t).toFixed(1)}" y2="${y(t).toFixed(1)}"/><text class="tick" x="${LEFT - 8}" y="${(y(t) + 4).toFixed(1)}">$${t.toLocaleString('en-US')}</text>`)}
<path class="path" d="${path ?? ''}"/>
${dots.map((d) => html`<circle class="sale" cx="${x(d.at).toFixed(1)}" cy="${y(d.usd).toFixed(1)}" r="4.5"/>`)}
<line class="asked" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${asked}" y2="${asked}"/>
<text class="day" x="${LEFT}" y="${HEIGHT - 12}">${from}</text><text class="day last" x="${WIDTH - RIGHT}" y="${HEIGHT - 12}">${to}</text>
</svg><figcaption>${SALES.caption(money(askedUsd), money(dots.at(-1)!.usd), when(dots.at(-1)!.at.toISOString()))}</figcaption></figure></price-plot>`;
}

function minute(time: number): string {
  return `${new Date(time).toISOString().slice(11, 16)} UTC`;
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
