import { scaleBand, scaleLinear } from 'd3-scale';
import { money, table } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { EARNINGS, OWN } from '../words/dashboard.ts';
import { type Period, periodOf, type SettledDeal, stretches } from './earnings.ts';

const [WIDTH, HEIGHT] = [720, 240];
const [LEFT, RIGHT, TOP, BOTTOM] = [80, 20, 16, 36];

/** What settled deals earned and cost over time, as bars, and folded under them as a table. Nothing where there is none. */
export function earningsPlot(
  deals: readonly SettledDeal[],
  now: Date,
  period: Period = periodOf(deals, now),
): Html | false {
  if (deals.length === 0) return false;
  const all = stretches(deals, now, period);
  const x = scaleBand(
    all.map((s) => s.at),
    [LEFT, WIDTH - RIGHT],
  ).padding(0.25);
  const most = Math.max(...all.flatMap((s) => [s.earnedUsd, s.spentUsd]), 1);
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, TOP]).nice();
  const half = x.bandwidth() / 2;
  const bar = (kind: string, at: string, usd: number, place: number) =>
    usd > 0 &&
    html`<rect class="${kind}" x="${((x(at) ?? 0) + place).toFixed(1)}" y="${y(usd).toFixed(1)}" width="${half.toFixed(1)}" height="${(HEIGHT - BOTTOM - y(usd)).toFixed(1)}"/>`;
  const each = period === 'days' ? 'day' : 'month';
  return html`<figure class="plot earnings"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="earnings-title">
<title id="earnings-title">${EARNINGS.title[each]}</title>
${y.ticks(4).map((t) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(t).toFixed(1)}" y2="${y(t).toFixed(1)}"/><text class="tick" x="${LEFT - 8}" y="${(y(t) + 4).toFixed(1)}">$${t.toLocaleString('en-US')}</text>`)}
${all.map((s) => html`${bar('earned', s.at, s.earnedUsd, 0)}${bar('spent', s.at, s.spentUsd, half)}`)}
<text class="day" x="${LEFT}" y="${HEIGHT - 12}">${all[0]?.at}</text><text class="day last" x="${WIDTH - RIGHT}" y="${HEIGHT - 12}">${all.at(-1)?.at}</text>
</svg><figcaption><span class="key earned">${OWN.earned}</span> <span class="key spent">${OWN.spent}</span>. ${EARNINGS.each[each]}</figcaption></figure>
<details><summary>${EARNINGS.figures[each]}</summary>${table(
    EARNINGS.caption[each],
    [
      { head: EARNINGS.columns[each], cell: (s) => s.at },
      { head: EARNINGS.columns.earned, numeric: true, cell: (s) => money(s.earnedUsd) },
      { head: EARNINGS.columns.spent, numeric: true, cell: (s) => money(s.spentUsd) },
    ],
    all.filter((s) => s.earnedUsd > 0 || s.spentUsd > 0).toReversed(),
    EARNINGS.none,
  )}</details>`;
}
