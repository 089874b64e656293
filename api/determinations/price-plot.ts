import { type Comparable, SIMILARITIES } from '../../agents/market/pricing/comparables.ts';
import { described, type Market, marketOf } from '../../agents/market/pricing/valuation.ts';
import { type Column, money, table, when } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { PRICES } from '../words/determination.ts';

/** The part of the price determination's evidence that the plot needs. */
interface Priced {
  readonly at: string;
  readonly price: number;
  readonly category: string;
  readonly comparables: readonly Comparable[];
}

const WIDTH = 720;
const HEIGHT = 320;
const LEFT = 84;
const RIGHT = 16;
const TOP = 20;
const BOTTOM = 44;
const MOST_ROWS = 100;

/**
 * Plots the sales that a price was judged by, over time and on a log scale, with the range and median that they gave,
 * and shows them in a table. Empty when the evidence has no sales. Shapes carry the meaning, and colour only repeats
 * it.
 */
export function pricePlot(evidence: unknown): Html {
  const priced = readPriced(evidence);
  if (priced === null || priced.comparables.length === 0) return html``;
  const market = marketOf(priced.comparables, priced.category, priced.at);
  return html`<figure class="plot">${chart(priced, market)}
<figcaption>${caption(priced, market)}</figcaption></figure>
<details><summary>${PRICES.sales}</summary>${table(PRICES.salesCaption, salesColumns(market), priced.comparables.slice(0, MOST_ROWS), '')}</details>`;
}

/** True for a sale that was weighed: it was not set aside, and is as similar as the sales that were enough. */
function isNear(c: Comparable, market: Market | null): boolean {
  return market !== null && SIMILARITIES.indexOf(c.similarity) <= SIMILARITIES.indexOf(market.similarity);
}

function salesColumns(market: Market | null): readonly Column<Comparable>[] {
  const weighed = (c: Comparable): string =>
    c.dropped !== null ? PRICES.dropped[c.dropped] : isNear(c, market) ? PRICES.weighed : PRICES.notWeighed;
  return [
    { head: PRICES.columns.sale, cell: (c) => c.id },
    { head: PRICES.columns.sold, cell: (c) => when(c.soldAt) },
    { head: PRICES.columns.price, cell: (c) => money(Number(c.priceUsd)), numeric: true },
    { head: PRICES.columns.of, cell: (c) => PRICES.nearness[c.similarity] },
    { head: PRICES.columns.weighed, cell: weighed },
    { head: PRICES.columns.source, cell: (c) => c.source },
  ];
}

function caption({ price, comparables }: Priced, market: Market | null): Html {
  const shown = comparables.length > MOST_ROWS ? PRICES.more(MOST_ROWS) : '';
  const said = market === null ? PRICES.noneWeighed : `${described(market)}`;
  return PRICES.caption(money(price), said, shown);
}

function chart(priced: Priced, market: Market | null): Html {
  const now = Date.parse(priced.at);
  const dots = priced.comparables.filter((c) => Date.parse(c.soldAt) <= now && Number(c.priceUsd) > 0);
  const prices = [...dots.map((c) => Number(c.priceUsd)), priced.price].filter((p) => p > 0);
  // Zero has no logarithm, so the scale then rests on one dollar.
  const scale = prices.length > 0 ? prices : [1];
  const [low, high] = [Math.min(...scale) / 1.15, Math.max(...scale) * 1.15];
  const oldest = Math.min(now - 86_400_000, ...dots.map((c) => Date.parse(c.soldAt)));
  const x = (time: number): number => LEFT + ((time - oldest) / (now - oldest)) * (WIDTH - LEFT - RIGHT - 14);
  const y = (price: number): number =>
    TOP + (1 - Math.log(Math.max(price, low) / low) / Math.log(high / low)) * (HEIGHT - TOP - BOTTOM);
  const usd = (micro: bigint): number => Number(micro) / 1e6;
  const end = WIDTH - RIGHT;
  const ticks = ticksOf(low, high);
  const middle = market === null ? 0 : y(usd(market.median));
  const at = y(priced.price);
  const edge = x(now);
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="price-plot-title price-plot-text">
<title id="price-plot-title">${PRICES.title}</title>
<desc id="price-plot-text">${PRICES.text(dots.length, isoDay(oldest), isoDay(now), priced.price, market === null ? '' : described(market))}</desc>
${market !== null && html`<rect class="band" x="${LEFT}" y="${px(y(usd(market.high)))}" width="${end - LEFT}" height="${px(Math.max(1, y(usd(market.low)) - y(usd(market.high))))}"/>`}
${ticks.map((t) => html`<line class="grid" x1="${LEFT}" x2="${end}" y1="${px(y(t))}" y2="${px(y(t))}"/><text class="tick" x="${LEFT - 8}" y="${px(y(t) + 4)}">$${t.toLocaleString('en-US', { maximumFractionDigits: 6 })}</text>`)}
<line class="axis" x1="${LEFT}" x2="${end}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"/>
<text class="day" x="${LEFT}" y="${HEIGHT - 16}">${isoDay(oldest)}</text><text class="day last" x="${end}" y="${HEIGHT - 16}">${isoDay(now)}</text>
${market !== null && html`<line class="median" x1="${LEFT}" x2="${end}" y1="${px(middle)}" y2="${px(middle)}"/><text class="name" x="${LEFT + 6}" y="${px(middle - 6)}">${PRICES.median}</text>`}
${dots.map((c) => mark(c, isNear(c, market), x(Date.parse(c.soldAt)), y(Number(c.priceUsd))))}
<line class="asked" x1="${LEFT}" x2="${end}" y1="${px(at)}" y2="${px(at)}"/><text class="price" x="${LEFT + 6}" y="${px(at - 6)}">${PRICES.asked}</text><path class="diamond" d="M${px(edge)} ${px(at - 8)}l8 8l-8 8l-8-8z"/>
</svg>`;
}

function mark(c: Comparable, near: boolean, cx: number, cy: number): Html {
  const radius = 6 - SIMILARITIES.indexOf(c.similarity);
  return c.dropped === null
    ? html`<circle class="${near ? 'sale' : 'ring'}" cx="${px(cx)}" cy="${px(cy)}" r="${radius}"/>`
    : html`<path class="out" d="M${px(cx - 4)} ${px(cy - 4)}l8 8m0-8l-8 8"/>`;
}

/** Round prices within the range, three to seven if possible: 1, 2 and 5 times powers of ten, otherwise equal steps. */
function ticksOf(low: number, high: number): number[] {
  const decades = Array.from({ length: 22 }, (_, i) => 10 ** (i - 6));
  const found = decades.flatMap((d) => [d, 2 * d, 5 * d]).filter((t) => t > low && t < high);
  if (found.length >= 3) return found.filter((_, i) => i % Math.ceil(found.length / 7) === 0);
  const step = 10 ** Math.floor(Math.log10((high - low) / 2));
  const wide = (high - low) / step > 8 ? step * 5 : (high - low) / step > 4 ? step * 2 : step;
  const first = Math.ceil(low / wide);
  return Array.from({ length: 9 }, (_, i) => Number(((first + i) * wide).toPrecision(6))).filter(
    (t) => t > low && t < high,
  );
}

function px(value: number): string {
  return value.toFixed(1);
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A record's evidence is open JSON, so whatever is not a price determination gives no plot. */
function readPriced(evidence: unknown): Priced | null {
  const list = (evidence as { determinations?: unknown } | null)?.determinations;
  if (!Array.isArray(list)) return null;
  const found = list.find((d) => (d as { id?: unknown } | null)?.id === 'price-intelligence') as
    | { at?: unknown; common?: { priceUsd?: unknown; category?: unknown; comparables?: unknown } }
    | undefined;
  const { priceUsd, category, comparables } = found?.common ?? {};
  if (typeof found?.at !== 'string' || Number.isNaN(Date.parse(found.at))) return null;
  if (typeof priceUsd !== 'string' || typeof category !== 'string' || !Array.isArray(comparables))
    return null;
  const price = Number(priceUsd);
  if (!Number.isFinite(price)) return null;
  return { at: found.at, price, category, comparables: comparables.filter(isComparable) };
}

function isComparable(value: unknown): value is Comparable {
  const c = value as Partial<Record<keyof Comparable, unknown>> | null;
  return (
    typeof c?.id === 'string' &&
    typeof c.source === 'string' &&
    typeof c.priceUsd === 'string' &&
    typeof c.soldAt === 'string' &&
    !Number.isNaN(Date.parse(c.soldAt)) &&
    (SIMILARITIES as readonly unknown[]).includes(c.similarity) &&
    (c.dropped === null || Object.keys(PRICES.dropped).includes(String(c.dropped)))
  );
}
