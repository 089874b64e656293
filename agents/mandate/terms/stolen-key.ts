import type { Mandate } from './schema.ts';

/** What a mandate leaves open to whoever has the session key, and a sentence that would close it. */
export interface OpenEnded {
  /** What a stolen key could spend. */
  readonly warning: string;
  /** A sentence that can be added to the mandate as it stands. */
  readonly offer: string;
}

/** What is offered where the mandate names no amount to go by. */
const DEFAULT_DAY = '100';

/**
 * Says what a stolen session key could spend under a mandate that the chain bounds by no window and no total: the whole
 * balance, payment after payment, until the owner pauses the agent. Counts of deals do not bound it, since no chain
 * holds an agent to them. The mandate itself is not changed: its owner decides.
 * @returns null for a mandate that only sells, and for one with a cap by day, week, month or in total
 */
export function openEnded(mandate: Mandate): OpenEnded | null {
  const { side, currency, cap_per_deal: each } = mandate;
  const bounded =
    mandate.cap_per_day ?? mandate.cap_per_week ?? mandate.cap_per_month ?? mandate.cap_total ?? null;
  if (side === 'sell' || bounded !== null) return null;
  const steps = each === undefined ? 'in one payment' : `${each} ${currency} at a time, as often as it likes`;
  return {
    warning: `No cap by day, week, month or in total: a stolen session key could spend all the ${currency} that the agent's account holds, ${steps}, until you pause the agent.`,
    offer: `At most ${each ?? DEFAULT_DAY} ${currency} per day.`,
  };
}
