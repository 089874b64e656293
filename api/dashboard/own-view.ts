import { titleOf } from '../../agents/determinations/panel/titles.ts';
import {
  type DealShown,
  dealTable,
  foundAgainst,
  orderTable,
  waitingDeal,
} from '../desk/pages/desk-lists.ts';
import { plainReason } from '../determinations/record-sentence.ts';
import { handleLink, label, money, type Tone, toneOf, when } from '../html/components.ts';
import { hiddenFields } from '../html/fields.ts';
import { type Html, html, segment } from '../html/html.ts';
import { EARNINGS, OWN } from '../words/dashboard.ts';
import type { OwnAgent } from './dashboard-page.ts';
import { compared, PERIODS, type Period, periodOf } from './earnings.ts';
import { earningsPlot } from './earnings-plot.ts';

const SETTLED: ReadonlySet<string> = new Set(['settled', 'recorded']);
export const isSettled = (d: DealShown): boolean => SETTLED.has(d.state);
const waits = (d: DealShown): boolean => d.waitsForYou;
/** The form that decides on several deals at once. */
const SEVERAL = 'several';
/** Of the others there is a page of their own. */
const MOST_SHOWN = 20;

/**
 * What is the owner's alone: what needs them with what was found, earnings, and the newest deals and orders.
 * @param asked the period of the earnings; left out, the one that shows all of them
 */
export function ownView(
  agents: readonly OwnAgent[],
  wallet: string,
  now = new Date(),
  asked: Period | null = null,
): Html {
  return html`${queue(agents, wallet)}
${notices(agents, now)}
${earnings(agents, now, asked)}
${agents.map(ownAgent)}`;
}

/** The deals that wait for a decision, one under the other, of all agents. */
function queue(agents: readonly OwnAgent[], wallet: string): Html | false {
  const all = agents.flatMap(({ handle, deals }) => deals.filter(waits).map((deal) => ({ handle, deal })));
  if (all.length === 0) return false;
  const heading = OWN.queue.heading(all.length);
  const among = all.length > 1 ? SEVERAL : null;
  return html`<section class="queue" aria-label="${heading}"><h2 tabindex="-1">${heading}</h2><p class="soft">${OWN.queue.words}</p>
${all.map(({ handle, deal }) => html`<div id="${deal.dealId}">${waitingDeal(handle, deal, among)}</div>`)}
${among !== null && several(among, wallet)}</section>`;
}

/** Decides alike on all deals that are ticked: each is told before it is signed. */
function several(id: string, wallet: string): Html {
  const choice = (decision: 'stop' | 'proceed') =>
    html`<button name="decision" value="${decision}" class="second">${OWN.several[decision]}</button>`;
  return html`<form id="${id}" class="card" action="/desk/decisions" method="post">${hiddenFields({ wallet })}
<p>${OWN.several.words}</p><div class="acts">${choice('stop')}${choice('proceed')}</div></form>`;
}

function earnings(agents: readonly OwnAgent[], now: Date, asked: Period | null): Html {
  const settled = agents.flatMap((a) => a.deals.filter(isSettled));
  const inAccounts = agents.reduce((total, a) => total + (a.funds?.balanceUsd ?? 0), 0);
  const period = asked ?? periodOf(settled, now);
  const sums = compared(settled, now, period);
  const figure = (of: 'earnedUsd' | 'spentUsd', words: string) =>
    html`<li><strong>${money(sums.now[of])}</strong><span>${words}</span>${sums.before[of] > 0 && html` <span class="before">${EARNINGS.before[period](money(sums.before[of]))}</span>`}</li>`;
  const choices = PERIODS.map(
    (p) =>
      html`<button class="second" data-period="${p}" aria-pressed="${p === period ? 'true' : 'false'}">${EARNINGS.periods[p]}</button>`,
  );
  return html`<h2>${EARNINGS.heading}</h2>
${settled.length > 0 && html`<div class="acts" role="group" aria-label="${EARNINGS.period}">${choices} <button class="second" data-download>${EARNINGS.download}</button></div>`}
<ul class="figures"><li><strong>${money(inAccounts)}</strong><span>${OWN.inAccounts}</span></li>
${figure('earnedUsd', OWN.earned)}
${figure('spentUsd', OWN.spent)}</ul>
${earningsPlot(settled, now, period)}`;
}

function ownAgent({ handle, deals, orders, funds }: OwnAgent): Html {
  const waiting = deals.filter(waits);
  const others = deals.filter((d) => !waits(d));
  return html`<section aria-label="${handle}"><h2>${handle}</h2>${dealTable(handle, [...waiting, ...others.slice(0, MOST_SHOWN)])}
${others.length > MOST_SHOWN && html`<p><a href="/desk/deals?handle=${segment(handle)}">${OWN.allDeals(handle)}</a></p>`}
${orderTable(handle, orders, funds)}</section>`;
}

const SOON_MS = 24 * 3_600_000;
const LATELY_MS = 7 * 24 * 3_600_000;
const MOST_NOTICES = 20;

/**
 * What an owner is told beside what waits: deals that were stopped or went on with a finding within a week, orders without
 * money, and orders that end within a day.
 */
function notices(agents: readonly OwnAgent[], now: Date): Html {
  const all = agents.flatMap(({ handle, deals, orders }) => [
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
  if (all.length === 0)
    return agents.some((a) => a.deals.some(waits)) ? html`` : html`<p class="soft">${OWN.nothing}</p>`;
  const left = all.length - MOST_NOTICES;
  return html`<section aria-label="${OWN.know}"><h2>${OWN.know}</h2><ul class="card ticker">${all.slice(0, MOST_NOTICES).map((notice) => html`<li><span>${notice}</span></li>`)}</ul>${left > 0 && html`<p class="soft">${OWN.more(left)}</p>`}</section>`;
}

/** A deal that is over and in which something was found; null where nothing was. */
function lately(handle: string, d: DealShown): Html | null {
  if (foundAgainst(d).length === 0) return null;
  const all = html`${findings(d)} <a href="/desk/deals?handle=${segment(handle)}">${OWN.read}</a>`;
  const deal = [handleLink(handle), money(d.priceUsd), when(d.updatedAt)] as const;
  if (d.state === 'stopped')
    return html`${label(OWN.labels.stopped, toneOfFindings(d))} ${OWN.stopped(...deal)} ${all}`;
  if (isSettled(d))
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
    return first === undefined ? title : `${title}: ${plainReason(first)}`;
  });
  return words.length > 0 && OWN.found(words.join('; '));
}
