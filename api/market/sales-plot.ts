import { scaleLinear, scaleTime } from 'd3-scale';
import { line } from 'd3-shape';
import { type Column, hex, lotName, money, table, when } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import type { MatchRow } from '../shapes.ts';
import { SALES } from '../words/lot.ts';

const WIDTH = 720;
const HEIGHT = 240;
const [LEFT, RIGHT, TOP, BOTTOM] = [80, 20, 16, 36];

/** A sale that settled. */
interface Sale {
  readonly at: Date;
  readonly usd: number;
  readonly isOwn: boolean;
  readonly row: MatchRow;
}

/**
 * The prices at which a lot and others of its kind were sold, over time, beside what is asked now.
 * @param sales of its kind, newest first
 * @param deals of the lot itself
 */
export function salesPlot(
  lot: string,
  sales: readonly MatchRow[],
  deals: readonly MatchRow[],
  askedUsd: number,
): Html {
  const all = new Map([...sales, ...deals].map((row) => [row.matchId, row]));
  const dots = [...all.values()]
    .flatMap((row): Sale[] =>
      row.state !== 'settled' || row.clearingPriceUsd === undefined
        ? []
        : [
            {
              at: new Date(row.settledAt ?? row.matchedAt),
              usd: row.clearingPriceUsd,
              isOwn: row.lot === lot,
              row,
            },
          ],
    )
    .sort((a, b) => a.at.getTime() - b.at.getTime());
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
${dots.map((d) => dot(d, x(d.at), y(d.usd)))}
<line class="asked" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${asked}" y2="${asked}"/>
<text class="day" x="${LEFT}" y="${HEIGHT - 12}">${from}</text><text class="day last" x="${WIDTH - RIGHT}" y="${HEIGHT - 12}">${to}</text>
</svg><figcaption>${SALES.caption(money(askedUsd), money(dots.at(-1)!.usd), when(dots.at(-1)!.at.toISOString()))}</figcaption></figure></price-plot>
<p>${ownSales(dots.filter((d) => d.isOwn))}</p>
<details><summary>${SALES.table}</summary>${table(SALES.tableCaption, COLUMNS, dots.toReversed(), '')}</details>`;
}

/** A sale of the very lot is a diamond, so that shape tells it and not colour. */
function dot({ isOwn }: Sale, x: number, y: number): Html {
  if (!isOwn) return html`<circle class="sale" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4.5"/>`;
  const [left, right, top, bottom] = [x - 8, x + 8, y - 8, y + 8].map((n) => n.toFixed(1));
  return html`<path class="own" d="M${x.toFixed(1)} ${top}L${right} ${y.toFixed(1)}L${x.toFixed(1)} ${bottom}L${left} ${y.toFixed(1)}Z"/>`;
}

function ownSales(own: readonly Sale[]): Html | string {
  const last = own.at(-1);
  return last === undefined
    ? SALES.own.none
    : SALES.own.some(own.length, money(last.usd), when(last.at.toISOString()));
}

const COLUMNS: readonly Column<Sale>[] = [
  { head: SALES.columns.what, cell: (s) => (s.isOwn ? SALES.thisLot : lotName(s.row.lot)) },
  { head: SALES.columns.price, numeric: true, cell: (s) => money(s.usd) },
  { head: SALES.columns.at, cell: (s) => when(s.at.toISOString()) },
  { head: SALES.columns.tx, cell: (s) => (s.row.tx === undefined ? '' : hex(s.row.tx)) },
];

function minute(time: number): string {
  return `${new Date(time).toISOString().slice(11, 16)} UTC`;
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
