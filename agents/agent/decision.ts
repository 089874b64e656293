import type { Category } from '../categories.ts';
import type { Valued } from '../market/pricing/worth.ts';
import { formatUsd, type Micro } from '../money.ts';

/** `expire`: the order is no longer wanted and is left to expire. `leave`: nothing is done. */
export type Action = 'rest' | 'reprice' | 'cancel' | 'expire' | 'leave';

/** One decision, with the words and figures that its owner reads. */
export interface Decision {
  readonly action: Action;
  readonly side: 'buy' | 'sell' | null;
  /** The listing it is about, or the agent's handle. */
  readonly topic: string;
  /**
   * The reason as one word of the code. Two decisions with the same action, reason and limit count as the same
   * decision.
   */
  readonly reason: string;
  readonly listingRef: string | null;
  readonly lot: string | null;
  /** The order that is replaced, cancelled or left. */
  readonly orderId: string | null;
  /** The order to place. */
  readonly order: OrderToPlace | null;
  readonly says: string;
  /** Dollars and dates as text, by name. */
  readonly figures: Readonly<Record<string, string>>;
}

export interface OrderToPlace {
  readonly category: Category;
  readonly limit: Micro;
  readonly expiresAt: string;
}

/** The text that is compared to find out whether a decision is a new one. */
export function markOf({ action, reason, order }: Decision): string {
  return `${action}:${reason}:${order === null ? '' : order.limit}`;
}

/** What a lot is worth, by the name of what tells it, and by how many sales. */
export function worthFigures({ value, by, sales }: Valued): Decision['figures'] {
  return { [by === 'sales' ? 'median' : 'value']: formatUsd(value), sales: String(sales) };
}

interface About {
  readonly listingRef: string;
  readonly lot: string;
}

/** A decision to do nothing about a lot. */
export function leave(
  side: 'buy' | 'sell',
  about: About,
  reason: string,
  says: string,
  figures: Readonly<Record<string, string>> = {},
  orderId: string | null = null,
): Decision {
  return {
    action: 'leave',
    side,
    topic: about.listingRef,
    reason,
    ...ref(about),
    orderId,
    order: null,
    says,
    figures,
  };
}

/** A decision to do nothing at all. */
export function idle(handle: string, reason: string, says: string): Decision {
  return {
    action: 'leave',
    side: null,
    topic: handle,
    reason,
    listingRef: null,
    lot: null,
    orderId: null,
    order: null,
    says,
    figures: {},
  };
}

export function ref({ listingRef, lot }: About): About {
  return { listingRef, lot };
}
