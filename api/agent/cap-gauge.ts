import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { money } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import type { AgentDocument } from '../shapes.ts';
import { AGENT } from '../words/agent.ts';

type Left = Extract<AgentDocument['caps'], { remaining: unknown }>['remaining'][number];

const CAPS = [
  ['day', 'cap_per_day', 'perDayUsd'],
  ['week', 'cap_per_week', 'perWeekUsd'],
  ['month', 'cap_per_month', 'perMonthUsd'],
  ['all', 'cap_total', 'totalUsd'],
] as const;

/** What is spent of each limit, as a bar and in words. A limit that the mandate does not set is not shown. */
export function capGauge(mandate: Mandate, left: Left): Html {
  const gauges = CAPS.flatMap(([period, cap, rest]) => {
    const [most, remains] = [Number(mandate[cap]), left[rest]];
    return Number.isFinite(most) && most > 0 && remains !== null ? [gauge(period, most, most - remains)] : [];
  });
  const deal =
    left.perDealUsd === null
      ? html`<p>${AGENT.caps.noDeal}</p>`
      : html`<p>${AGENT.caps.deal(money(left.perDealUsd))}</p>`;
  return html`${deal}${gauges.length === 0 ? html`<p class="soft">${AGENT.caps.noOther}</p>` : gauges}`;
}

function gauge(period: keyof typeof AGENT.caps.periods, most: number, spent: number): Html {
  const share = Math.min(100, Math.max(0, (spent / most) * 100));
  return html`<cap-gauge><div class="row"><span>${AGENT.caps.spent(money(spent), AGENT.caps.periods[period])}</span><span class="soft">${AGENT.caps.of(money(most))}</span></div>
<svg class="gauge" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="4"/><rect class="spent" width="${share.toFixed(1)}" height="4"/></svg></cap-gauge>`;
}
