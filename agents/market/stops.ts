import type { DeterminationId, RecordVerdict, Verdict } from '../determinations/panel/types.ts';
import { sameAddress } from '../ids.ts';
import type { Micro } from '../money.ts';

/**
 * A stopped deal is remembered by its two owners, its lot and each finding that stopped it. The two do not match over
 * the lot again until each of these findings has been lifted: one of the two has placed a new order, and something that
 * the finding was based on has changed. Without this rule a program that bids again would be matched again, and every
 * match that comes to nothing would be published.
 */

/** What stopped a deal: a determination, or something else. */
export type StopFinding =
  | DeterminationId
  /** A mandate asks its owner above a price, and the owner refused. */
  | 'approval'
  /** An owner stopped the deal without being asked. */
  | 'owner-decision'
  /** A side's determination was not completed, or its owner did not answer, or the buyer's kept the lot and refused. */
  | 'not-determined'
  /** The chain refused the settlement. */
  | 'settlement';

/**
 * What may change. Each is a text that stays equal exactly as long as nothing changes; null when the finding does not
 * depend on it.
 */
export interface Grounds {
  /** What the owner of the side that stopped it chose for findings and for what could not be judged. */
  readonly setting: string | null;
  /** The mandate in force of that side's agent; of both agents when neither side stopped it. */
  readonly mandates: string | null;
  /** The lists that the determination consults. */
  readonly lists: string | null;
  /** The pledges of the thing, besides its listing. */
  readonly claims: string | null;
}

interface Rule {
  /** The finding is lifted when any of these has changed. */
  readonly by: readonly (keyof Grounds)[];
  /** At a clearing price that differs by at least {@link PRICE_MOVES_PERCENT} the finding does not apply. */
  readonly byPrice?: true;
  /** After this many hours a FLAGGED answer may change. */
  readonly flaggedHours: number;
  /** The same for an answer that is missing: a source that was silent may answer soon. */
  readonly unansweredHours: number;
}

const MONTH = 30 * 24;
const RULES: Readonly<Record<StopFinding, Rule>> = {
  wallet: { by: ['setting', 'lists'], flaggedHours: MONTH, unansweredHours: 1 },
  'shill-collusion': { by: ['setting', 'mandates'], flaggedHours: MONTH, unansweredHours: 1 },
  'double-pledge': { by: ['setting', 'claims'], flaggedHours: MONTH, unansweredHours: 1 },
  provenance: { by: ['setting', 'mandates', 'lists'], flaggedHours: MONTH, unansweredHours: 1 },
  // The windows of this determination are days or longer.
  'mandate-compliance': { by: ['setting', 'mandates'], byPrice: true, flaggedHours: 24, unansweredHours: 1 },
  // Sales made in the meantime are evidence, too.
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

/** The lists that a determination consults. */
export const LISTS_OF = {
  wallet: ['sanctions', 'known-scam'],
  provenance: ['sanctions', 'known-scam', 'stolen', 'recalled'],
  'price-intelligence': ['comparables'],
} as const satisfies Partial<Record<StopFinding, readonly string[]>>;

/** A price that moved by less than this counts as the same price. */
export const PRICE_MOVES_PERCENT = 5n;
const HOUR_MS = 3_600_000;

/** So long two owners are kept apart the first time that one of them did not answer. */
export const NO_ANSWER_MS = RULES['not-determined'].unansweredHours * HOUR_MS;

/** Whether a finding of this kind is lifted when this ground has changed. */
export function restsOn(finding: StopFinding, ground: keyof Grounds): boolean {
  return RULES[finding].by.includes(ground);
}

/**
 * When the finding ends although no change is seen. The time doubles each time that the same finding stops the same two
 * owners over the same lot again, up to thirty days.
 * @param verdict the verdict of the determination; null when the finding is not one
 * @param earlier how often the finding has stopped them before
 * @param barMs how long it lasts the first time; absent where the finding's rule says it
 */
export function stopEnds(
  finding: StopFinding,
  told: {
    readonly verdict: Verdict | null;
    readonly earlier: number;
    readonly at: Date;
    readonly barMs?: number | undefined;
  },
): Date {
  const { verdict, earlier, at } = told;
  const { flaggedHours, unansweredHours } = RULES[finding];
  const flagged: RecordVerdict = 'FLAGGED';
  const { barMs = (verdict === flagged ? flaggedHours : unansweredHours) * HOUR_MS } = told;
  return new Date(at.getTime() + Math.min(barMs * 2 ** Math.min(earlier, 20), MONTH * HOUR_MS));
}

/** Whether a finding is lifted; asked when one of the two owners places a new order. */
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
  readonly seller: string;
  readonly buyer: string;
  /** The price at which the deal would have cleared. */
  readonly price: Micro;
  readonly stoppedAt: Date;
  /** The agent that alone it binds, and not its owner's others; left out: both owners. */
  readonly alone?: string | null;
  /** Whose agent that is. */
  readonly side?: string;
}

/**
 * Whether a stop is an asking that nobody answered. Where the owner had given no word for the agent that asked, it binds that
 * agent alone: anybody can have one minted in the name of a wallet that signed nothing.
 */
export function isUnanswered(stop: { readonly finding: StopFinding; readonly side: string }): boolean {
  return stop.finding === 'not-determined' && stop.side !== 'neither';
}

/** Two orders that overlap, with what a stop depends on. */
export interface PairToScreen {
  /** Beneficial owners. */
  readonly seller: string;
  readonly buyer: string;
  /** Their agents. */
  readonly agents: readonly string[];
  readonly price: Micro;
  /** When the newer of the two orders was placed. An order that returns to the book keeps its first time. */
  readonly placedAt: Date;
}

/**
 * Whether a pair may not match because its owners were stopped before. A finding about the price does not prevent a
 * match at another price once one of the two has placed a new order.
 * @param stops every stop on the lot that was not lifted
 */
export function isStopped(stops: readonly StandingStop[], pair: PairToScreen): boolean {
  return stops.some(
    (stop) =>
      sameAddress(stop.seller, pair.seller) &&
      sameAddress(stop.buyer, pair.buyer) &&
      (stop.alone == null || pair.agents.includes(stop.alone)) &&
      !asksAnew(stop, pair),
  );
}

function asksAnew({ finding, price, stoppedAt }: StandingStop, pair: PairToScreen): boolean {
  if (RULES[finding].byPrice === undefined || pair.placedAt <= stoppedAt) return false;
  const moved = pair.price > price ? pair.price - price : price - pair.price;
  return moved * 100n >= price * PRICE_MOVES_PERCENT;
}

/** Whose bids do not count for a lot's price. */
export interface Priceless {
  /** Beneficial owners. */
  readonly owners: readonly string[];
  readonly agents: readonly string[];
}

/**
 * The buyers who do not count for a lot's price: those who were stopped with its seller, and of whom a stop binds one agent
 * alone, that agent. It ignores prices, because whether a price has moved would reveal something about a limit.
 */
export function pricelessBuyers(stops: readonly StandingStop[], seller: string | null): Priceless {
  const [owners, agents] = [new Set<string>(), new Set<string>()];
  for (const stop of stops) {
    if (seller === null || !sameAddress(stop.seller, seller)) continue;
    if (stop.alone != null && stop.side === 'buyer') agents.add(stop.alone);
    else owners.add(stop.buyer);
  }
  return { owners: [...owners], agents: [...agents] };
}
