import { titleOf } from '../../agents/determinations/panel/titles.ts';
import { type DealShown, dealTable, foundAgainst, orderTable } from '../desk/pages/desk-lists.ts';
import { reasonWords } from '../determinations/check-names.ts';
import { handleLink, label, money, shortened, type Tone, toneOf, when } from '../html/components.ts';
import { type Html, html, segment } from '../html/html.ts';
import { OWN } from '../words/dashboard.ts';
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
<li><strong>${money(inAccounts)}</strong><span>${OWN.inAccounts}</span></li>
<li><strong>${money(sum(earnedUsd))}</strong><span>${OWN.earned}</span></li>
<li><strong>${money(sum(spentUsd))}</strong><span>${OWN.spent}</span></li>
</ul>
${notices(agents, now)}
${earningsPlot(settled, now)}
${agents.map(ownAgent)}`;
}

function ownAgent({ handle, deals, orders, funds }: OwnAgent): Html {
  const waiting = deals.filter((d) => d.state === 'awaiting-owner');
  const others = deals.filter((d) => d.state !== 'awaiting-owner');
  return html`<section aria-label="${handle}"><h2>${handle}</h2>${dealTable(handle, [...waiting, ...others.slice(0, MOST_SHOWN)])}
${others.length > MOST_SHOWN && html`<p><a href="/desk/deals?handle=${segment(handle)}">${OWN.allDeals(handle)}</a></p>`}
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
          html`${label(OWN.labels.money, 'waiting')} ${OWN.unfunded(handleLink(handle), money(o.limitUsd))} <a href="/agent/${segment(handle)}#act">${OWN.fund}</a>`,
      ),
    ...orders
      .filter((o) => o.status === 'resting' && Date.parse(o.expiresAt) - now.getTime() < SOON_MS)
      .map(
        (o) =>
          html`${label(OWN.labels.ends)} ${OWN.ends(handleLink(handle), money(o.limitUsd), when(o.expiresAt))} <a href="/desk/order?handle=${segment(handle)}">${OWN.again}</a>`,
      ),
  ]);
  if (all.length === 0) return html`<p class="soft">${OWN.nothing}</p>`;
  const left = all.length - MOST_NOTICES;
  return html`<section aria-label="${OWN.know}"><h2>${OWN.know}</h2><ul class="card ticker">${all.slice(0, MOST_NOTICES).map((notice) => html`<li><span>${notice}</span></li>`)}</ul>${left > 0 && html`<p class="soft">${OWN.more(left)}</p>`}</section>`;
}

function toDecide(handle: string, d: DealShown): Html {
  const [agent, price] = [handleLink(handle), money(d.priceUsd)];
  const waits =
    d.deadline === null ? OWN.waits(agent, price) : OWN.waitsUntil(agent, price, when(d.deadline));
  return html`${label(OWN.labels.decide, 'waiting')} ${waits}. ${findings(d)} <a href="/desk/decision?handle=${segment(handle)}&dealId=${segment(d.dealId)}">${OWN.readAndDecide}</a>`;
}

/** A deal that is over and in which something was found; null where nothing was. */
function lately(handle: string, d: DealShown): Html | null {
  if (foundAgainst(d).length === 0) return null;
  const all = html`${findings(d)} <a href="/desk/deals?handle=${segment(handle)}">${OWN.read}</a>`;
  const deal = [handleLink(handle), money(d.priceUsd), when(d.updatedAt)] as const;
  if (d.state === 'stopped')
    return html`${label(OWN.labels.stopped, toneOfFindings(d))} ${OWN.stopped(...deal)} ${all}`;
  if (SETTLED.has(d.state))
    return html`${label(OWN.labels.finding, toneOfFindings(d))} ${OWN.wentOn(...deal)} ${all}`;
  return null;
}

function toneOfFindings(d: DealShown): Tone {
  return toneOf(foundAgainst(d).some((f) => f.verdict === 'FLAGGED') ? 'FLAGGED' : 'INCONCLUSIVE');
}

/** What is not CLEAN, and the first reason of each. */
function findings(d: DealShown): string | false {
  const words = foundAgainst(d).map(({ determination, verdict, reasons }) => {
    const [first] = reasons ?? [];
    const title = `${titleOf(determination ?? '')} ${verdict}`;
    return first === undefined ? title : `${title}: ${shortened(reasonWords(first))}`;
  });
  return words.length > 0 && OWN.found(words.join('; '));
}
