import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { money } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import type { AgentDocument } from '../shapes.ts';

type Left = Extract<AgentDocument['caps'], { remaining: unknown }>['remaining'][number];

const CAPS = [
  ['today', 'cap_per_day', 'perDayUsd'],
  ['this week', 'cap_per_week', 'perWeekUsd'],
  ['this month', 'cap_per_month', 'perMonthUsd'],
  ['in all', 'cap_total', 'totalUsd'],
] as const;

/** What is spent of each limit, as a bar and in words. A limit that the mandate does not set is not shown. */
export function capGauge(mandate: Mandate, left: Left): Html {
  const gauges = CAPS.flatMap(([when, cap, rest]) => {
    const [most, remains] = [Number(mandate[cap]), left[rest]];
    return Number.isFinite(most) && most > 0 && remains !== null ? [gauge(when, most, most - remains)] : [];
  });
  const deal =
    left.perDealUsd === null
      ? html`<p>No limit for a single deal.</p>`
      : html`<p>At most ${money(left.perDealUsd)} a deal.</p>`;
  return html`${deal}${gauges.length === 0 ? html`<p class="soft">No other limit is set.</p>` : gauges}`;
}

function gauge(when: string, most: number, spent: number): Html {
  const share = Math.min(100, Math.max(0, (spent / most) * 100));
  return html`<cap-gauge><div class="row"><span>${money(spent)} spent ${when}</span><span class="soft">of ${money(most)}</span></div>
<svg class="gauge" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="4"/><rect class="spent" width="${share.toFixed(1)}" height="4"/></svg></cap-gauge>`;
}
