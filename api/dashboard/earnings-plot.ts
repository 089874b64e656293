import { scaleBand, scaleLinear } from 'd3-scale';
import { money, table } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { EARNINGS, OWN } from '../words/dashboard.ts';

/** A deal that settled, as one of its sides sees it. */
export interface SettledDeal {
  readonly role: string;
  readonly priceUsd: number;
  /** Taken from what the seller gets. */
  readonly feeUsd: number;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** One bar of each kind: `at` is a day, 2026-11-21, or a month, 2026-11. */
interface Stretch {
  readonly at: string;
  readonly earnedUsd: number;
  readonly spentUsd: number;
}

const DAYS = 30;
const MONTHS = 12;
const DAY_MS = 24 * 3_600_000;

/** What a sale brought after its fee; 0 for a purchase. */
export const earnedUsd = (d: SettledDeal): number => (d.role === 'seller' ? d.priceUsd - d.feeUsd : 0);
/** What a purchase cost; 0 for a sale. */
export const spentUsd = (d: SettledDeal): number => (d.role === 'buyer' ? d.priceUsd : 0);

/** The last thirty days, day by day; the last twelve months where the first deal is older. */
export function stretches(deals: readonly SettledDeal[], now: Date): readonly Stretch[] {
  const oldest = Math.min(...deals.map((d) => Date.parse(d.updatedAt)));
  const byDay = now.getTime() - oldest < DAYS * DAY_MS;
  const letters = byDay ? 10 : 7;
  return (byDay ? lastDays(now) : lastMonths(now)).map((at) => {
    const own = deals.filter((d) => d.updatedAt.slice(0, letters) === at);
    const sum = (of: (d: SettledDeal) => number) => own.reduce((total, d) => total + of(d), 0);
    return { at, earnedUsd: sum(earnedUsd), spentUsd: sum(spentUsd) };
  });
}

function lastDays(now: Date): string[] {
  return Array.from({ length: DAYS }, (_, i) =>
    new Date(now.getTime() - (DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
}

function lastMonths(now: Date): string[] {
  return Array.from({ length: MONTHS }, (_, i) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1 - i))).toISOString().slice(0, 7),
  );
}

const [WIDTH, HEIGHT] = [720, 240];
const [LEFT, RIGHT, TOP, BOTTOM] = [80, 20, 16, 36];

/** What settled deals earned and cost over time, as bars, and folded under them as a table. Nothing where there is none. */
export function earningsPlot(deals: readonly SettledDeal[], now: Date): Html | false {
  if (deals.length === 0) return false;
  const all = stretches(deals, now);
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
  const each = all[0]?.at.length === 10 ? 'day' : 'month';
  return html`<h2>${EARNINGS.heading}</h2><figure class="plot earnings"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="earnings-title">
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
