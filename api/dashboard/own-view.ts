import { titleOf } from '../../agents/determinations/panel/titles.ts';
import { type DealShown, dealTable, foundAgainst, orderTable } from '../desk/pages/desk-lists.ts';
import { reasonWords } from '../determinations/check-names.ts';
import { handleLink, label, money, shortened, type Tone, toneOf, when } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import type { OwnAgent } from './dashboard-page.ts';
import { earnedUsd, earningsPlot, spentUsd } from './earnings-plot.ts';

const SETTLED: ReadonlySet<string> = new Set(['settled', 'recorded']);
/** Of the others there is a page of their own. */
const MOST_SHOWN = 20;

/** What is the owner's alone: earnings, what needs them with what was found, and the newest deals and orders. */
export function ownView(agents: readonly OwnAgent[], now = new Date()): Html {
  const settled = agents.flatMap((a) => a.deals.filter((d) => SETTLED.has(d.state)));
  const sum = (of: (d: DealShown) => number) => settled.reduce((total, d) => total + of(d), 0);
  const inAccounts = agents.reduce((total, a) => total + (a.funds?.balanceUsd ?? 0), 0);
  return html`<ul class="figures">
<li><strong>${money(inAccounts)}</strong><span>in the accounts</span></li>
<li><strong>${money(sum(earnedUsd))}</strong><span>earned by sales, after fees</span></li>
<li><strong>${money(sum(spentUsd))}</strong><span>spent on purchases</span></li>
</ul>
${notices(agents, now)}
${earningsPlot(settled, now)}
${agents.map(ownAgent)}`;
}

function ownAgent({ handle, deals, orders, funds }: OwnAgent): Html {
  const waiting = deals.filter((d) => d.state === 'awaiting-owner');
  const others = deals.filter((d) => d.state !== 'awaiting-owner');
  return html`<section aria-label="${handle}"><h2>${handle}</h2>${dealTable(handle, [...waiting, ...others.slice(0, MOST_SHOWN)])}
${others.length > MOST_SHOWN && html`<p><a href="/desk/deals?handle=${segment(handle)}">All deals of ${handle}</a></p>`}
${orderTable(handle, orders, funds)}</section>`;
}

const SOON_MS = 24 * 3_600_000;
const LATELY_MS = 7 * 24 * 3_600_000;
const MOST_NOTICES = 20;

/**
 * What an owner is told: deals to decide, deals that were stopped or went on with a finding within a week, orders without
 * money, and orders that end within a day.
 */
function notices(agents: readonly OwnAgent[], now: Date): Html {
  const all = agents.flatMap(({ handle, deals, orders }) => [
    ...deals.filter((d) => d.state === 'awaiting-owner').map((d) => toDecide(handle, d)),
    ...deals
      .filter((d) => now.getTime() - Date.parse(d.updatedAt) < LATELY_MS)
      .flatMap((d) => lately(handle, d) ?? []),
    ...orders
      .filter((o) => o.status === 'unfunded')
      .map(
        (o) =>
          html`${label('no money', 'waiting')} ${handleLink(handle)}: an order of ${money(o.limitUsd)} is not on the book. <a href="/agent/${segment(handle)}#act">Fund it</a>`,
      ),
    ...orders
      .filter((o) => o.status === 'resting' && Date.parse(o.expiresAt) - now.getTime() < SOON_MS)
      .map(
        (o) =>
          html`${label('ends soon')} ${handleLink(handle)}: an order of ${money(o.limitUsd)} ends ${when(o.expiresAt)}. <a href="/desk/order?handle=${segment(handle)}">Place it again</a>`,
      ),
  ]);
  if (all.length === 0) return html`<p class="soft">Nothing needs you now.</p>`;
  const left = all.length - MOST_NOTICES;
  return html`<section aria-label="What you should know"><h2>What you should know</h2><ul class="card ticker">${all.slice(0, MOST_NOTICES).map((notice) => html`<li><span>${notice}</span></li>`)}</ul>${left > 0 && html`<p class="soft">And ${left} more, below.</p>`}</section>`;
}

function toDecide(handle: string, d: DealShown): Html {
  return html`${label('decide', 'waiting')} ${handleLink(handle)}: a deal of ${money(d.priceUsd)} waits${d.deadline !== null && html` until ${when(d.deadline)}`}. ${findings(d)} <a href="/desk/decision?handle=${segment(handle)}&dealId=${segment(d.dealId)}">Read all of it and decide</a>`;
}

/** A deal that is over and in which something was found; null where nothing was. */
function lately(handle: string, d: DealShown): Html | null {
  if (foundAgainst(d).length === 0) return null;
  const all = html`${findings(d)} <a href="/desk/deals?handle=${segment(handle)}">Read all of it</a>`;
  const deal = html`${handleLink(handle)}: a deal of ${money(d.priceUsd)}`;
  if (d.state === 'stopped')
    return html`${label('stopped', toneOfFindings(d))} ${deal} was stopped ${when(d.updatedAt)}. ${all}`;
  if (SETTLED.has(d.state))
    return html`${label('finding', toneOfFindings(d))} ${deal} settled ${when(d.updatedAt)} although something was found. ${all}`;
  return null;
}

function toneOfFindings(d: DealShown): Tone {
  return toneOf(foundAgainst(d).some((f) => f.verdict === 'FLAGGED') ? 'FLAGGED' : 'INCONCLUSIVE');
}

/** What is not CLEAN, and the first reason of each. */
function findings(d: DealShown): Html | false {
  const words = foundAgainst(d).map(({ determination, verdict, reasons }) => {
    const [first] = reasons ?? [];
    const title = `${titleOf(determination ?? '')} ${verdict}`;
    return first === undefined ? title : `${title}: ${shortened(reasonWords(first))}`;
  });
  return words.length > 0 && html`Found: ${words.join('; ')}.`;
}
