import type { DeterminationId, RecordVerdict, Verdict } from '../determinations/panel/types.ts';
import { sameAddress } from '../ids.ts';
import type { Micro } from '../money.ts';

/**
 * A deal that was stopped is remembered for its two owners, its lot and each finding that stopped it. The two do not
 * match over the lot again until every one of these findings has been lifted: one of the two has placed a new order, and
 * what the finding rested on is not the same any more. Without that a program that bids again is matched again, and each
 * time a match is published that comes to nothing.
 */

/** What stopped a deal: what a side determined, or something else. */
export type StopFinding =
  | DeterminationId
  /** A mandate asks its owner above a price, and the owner did not agree. */
  | 'approval'
  /** An owner who was not asked stopped it. */
  | 'owner-decision'
  /** A side's determination did not come about. */
  | 'not-determined'
  /** The chain refused the settlement. */
  | 'settlement';

/** What may change, each in a text that is equal only where nothing has; null for what a finding does not rest on. */
export interface Grounds {
  /** What the owner of the side that stopped it chose for findings, and for what could not be judged. */
  readonly setting: string | null;
  /** The mandate in force of that side's agent; of both, where neither side stopped it. */
  readonly mandates: string | null;
  /** The lists that the determination looks into. */
  readonly lists: string | null;
  /** What the thing is pledged for, beside its listing. */
  readonly claims: string | null;
}

interface Rule {
  /** Any of these is another now: lifted. */
  readonly by: readonly (keyof Grounds)[];
  /** A clearing price that is another by at least {@link PRICE_MOVES_PERCENT} is another question. */
  readonly byPrice?: true;
  /** After so many hours a FLAGGED answer may be another one. */
  readonly flaggedHours: number;
  /** Likewise where there was no answer: a source that was silent may speak soon. */
  readonly unansweredHours: number;
}

const MONTH = 30 * 24;
const RULES: Readonly<Record<StopFinding, Rule>> = {
  wallet: { by: ['setting', 'lists'], flaggedHours: MONTH, unansweredHours: 1 },
  'shill-collusion': { by: ['setting', 'mandates'], flaggedHours: MONTH, unansweredHours: 1 },
  'double-pledge': { by: ['setting', 'claims'], flaggedHours: MONTH, unansweredHours: 1 },
  provenance: { by: ['setting', 'mandates', 'lists'], flaggedHours: MONTH, unansweredHours: 1 },
  // Its windows are days and longer.
  'mandate-compliance': { by: ['setting', 'mandates'], byPrice: true, flaggedHours: 24, unansweredHours: 1 },
  // What is sold meanwhile is evidence as well.
  'price-intelligence': {
    by: ['setting', 'mandates', 'lists'],
    byPrice: true,
    flaggedHours: 7 * 24,
    unansweredHours: 1,
  },
  approval: { by: ['mandates'], byPrice: true, flaggedHours: 7 * 24, unansweredHours: 7 * 24 },
  'owner-decision': { by: [], byPrice: true, flaggedHours: 7 * 24, unansweredHours: 7 * 24 },
  'not-determined': { by: [], flaggedHours: 1, unansweredHours: 1 },
  settlement: { by: ['mandates'], byPrice: true, flaggedHours: 1, unansweredHours: 1 },
};

/** The registers that a determination looks into. */
export const LISTS_OF = {
  wallet: ['sanctions', 'known-scam'],
  provenance: ['sanctions', 'known-scam', 'stolen', 'recalled'],
  'price-intelligence': ['comparables'],
} as const satisfies Partial<Record<StopFinding, readonly string[]>>;

/** A price that moved by less is the same question. */
export const PRICE_MOVES_PERCENT = 5n;
const HOUR_MS = 3_600_000;

/** Whether a finding of this kind is lifted when this ground has changed. */
export function restsOn(finding: StopFinding, ground: keyof Grounds): boolean {
  return RULES[finding].by.includes(ground);
}

/**
 * When the answer may be another one although nothing is seen to have changed. Twice as long each time that the same
 * finding stops the same two owners over the same lot again, and never longer than thirty days.
 * @param verdict of a determination; null for what is none
 * @param earlier how often it has stopped them before
 */
export function stopEnds(
  finding: StopFinding,
  { verdict, earlier, at }: { readonly verdict: Verdict | null; readonly earlier: number; readonly at: Date },
): Date {
  const { flaggedHours, unansweredHours } = RULES[finding];
  const flagged: RecordVerdict = 'FLAGGED';
  const hours = (verdict === flagged ? flaggedHours : unansweredHours) * 2 ** Math.min(earlier, 20);
  return new Date(at.getTime() + Math.min(hours, MONTH) * HOUR_MS);
}

/** Whether what a finding rested on has changed; asked when one of the two owners places a new order. */
export function isLifted(
  stop: { readonly finding: StopFinding; readonly grounds: Grounds; readonly ends: Date },
  now: { readonly grounds: Grounds; readonly at: Date },
): boolean {
  if (stop.ends <= now.at) return true;
  return RULES[stop.finding].by.some((ground) => stop.grounds[ground] !== now.grounds[ground]);
}

/** A stop that was not lifted. */
export interface StandingStop {
  readonly finding: StopFinding;
  /** Beneficial owners. */
  readonly seller: string;
  readonly buyer: string;
  /** What the deal would have cleared at. */
  readonly price: Micro;
  readonly stoppedAt: Date;
}

/** Two orders that overlap, as far as a stop is concerned. */
export interface PairToScreen {
  /** Beneficial owners. */
  readonly seller: string;
  readonly buyer: string;
  readonly price: Micro;
  /** When the newer of the two orders was placed: an order that only rests again was placed when it first was. */
  readonly placedAt: Date;
}

/**
 * Whether a pair may not match for what has stopped its owners before. A finding about the price does not bar another
 * price, once one of the two has placed a new order.
 * @param stops all that stand on the lot
 */
export function isStopped(stops: readonly StandingStop[], pair: PairToScreen): boolean {
  return stops.some(
    (stop) =>
      sameAddress(stop.seller, pair.seller) && sameAddress(stop.buyer, pair.buyer) && !asksAnew(stop, pair),
  );
}

function asksAnew({ finding, price, stoppedAt }: StandingStop, pair: PairToScreen): boolean {
  if (RULES[finding].byPrice === undefined || pair.placedAt <= stoppedAt) return false;
  const moved = pair.price > price ? pair.price - price : price - pair.price;
  return moved * 100n >= price * PRICE_MOVES_PERCENT;
}

/**
 * The buyers who make no price on a lot: whoever was stopped with its seller. It does not look at prices: whether a
 * price has moved would tell of a limit.
 */
export function pricelessBuyers(stops: readonly StandingStop[], seller: string | null): readonly string[] {
  if (seller === null) return [];
  return [...new Set(stops.filter((s) => sameAddress(s.seller, seller)).map((s) => s.buyer))];
}
