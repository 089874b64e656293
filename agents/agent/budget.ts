import { judgeMandate } from '../mandate/compliance/compliance.ts';
import type { MandateFacts, MandateProposal } from '../mandate/compliance/proposal.ts';
import type { Mandate } from '../mandate/terms/schema.ts';
import { freeFunds } from '../market/funds.ts';
import { CENT, formatUsd, type Micro, maxMicro, minMicro, parseUsd } from '../money.ts';
import type { Observation, OwnOrder } from './observation.ts';

/** One upper bound of a purchase, under the name that its owner reads. */
export interface Bound {
  readonly name: string;
  readonly amount: Micro;
}

const WINDOWS = [
  ['day', 'cap_per_day'],
  ['week', 'cap_per_week'],
  ['month', 'cap_per_month'],
  ['total', 'cap_total'],
] as const;

/** More than any price can be. */
const NO_CAP: Micro = 9_000_000_000_000_000_000n;

/** The largest price that the caps of a mandate can ever allow. */
export function mostByCaps(mandate: Mandate): Micro {
  const caps = [mandate.cap_per_deal, ...WINDOWS.map(([, field]) => mandate[field])];
  return caps.reduce(
    (most, cap) => (cap === undefined ? most : minMicro(most, parseUsd(cap, 'cap'))),
    NO_CAP,
  );
}

/** What an agent may still commit while it plans. Every planned order reduces it. */
export class Budget {
  readonly #seen: Observation;
  readonly #mandate: Mandate;
  #amount: Micro;
  #unfunded: Micro;
  #resting: number;
  #bids: number;

  constructor(seen: Observation, mandate: Mandate) {
    this.#seen = seen;
    this.#mandate = mandate;
    this.#amount = seen.held.amount;
    this.#unfunded = seen.held.unfunded;
    this.#resting = seen.held.resting;
    this.#bids = seen.buys.filter((order) => order.byItself).length;
  }

  /** Every bound on the next purchase; null when the chain was not read, and then nothing may be bought. */
  bounds(): readonly Bound[] | null {
    const { remaining, funds } = this.#seen;
    if (remaining === null || funds === null) return null;
    const left = (limit: Micro): Micro => maxMicro(0n, limit - this.#amount);
    const windows = WINDOWS.map(([window, field]) => {
      const text = this.#mandate[field];
      const live = remaining[window] ?? 0n;
      const cap = text === undefined ? live : minMicro(live, parseUsd(text, 'cap'));
      return { name: `what is left of the cap of the ${window}`, amount: left(cap) };
    });
    const perDeal = this.#mandate.cap_per_deal;
    return [
      {
        name: 'the cap per deal',
        amount:
          perDeal === undefined ? remaining.perDeal : minMicro(remaining.perDeal, parseUsd(perDeal, 'cap')),
      },
      ...windows,
      // The smaller of the cap per deal and the windows above; open deals do not reduce the cap per deal.
      { name: 'what the chain lets it spend', amount: remaining.spendable },
      {
        name: 'the money in its account',
        amount: freeFunds({ balance: funds, inFlight: this.#amount - this.#unfunded }),
      },
    ];
  }

  /** Whether one more order may still become a deal. */
  hasRoom(): boolean {
    const { max_deals_total: total, max_deals_per_day: day } = this.#mandate;
    const { deals, dealsToday } = this.#seen.held;
    return (
      (total === undefined || deals + this.#resting < total) &&
      (day === undefined || dealsToday + this.#resting < day)
    );
  }

  /** How many bids it has placed by itself, or plans: neither what it sells nor what its owner ordered. */
  get bids(): number {
    return this.#bids;
  }

  /**
   * The clause by which the mandate forbids an order at its limit; null when none does that can be checked now. An order to
   * sell takes the place of the one that rests, which is no deal beside it; one to buy was freed before.
   */
  forbids(
    proposal: MandateProposal,
    known: { readonly value: Micro | null; readonly faceValue: Micro | null },
  ): string | null {
    const { remaining, held, sold } = this.#seen;
    const others = proposal.side === 'sell' ? this.#resting - 1 : this.#resting;
    const facts: MandateFacts = {
      remaining,
      sold,
      reservedMicro: proposal.side === 'buy' ? this.#amount : 0n,
      deals: { day: held.dealsToday + others, total: held.deals + others },
      marketMedianMicro: known.value,
      faceValueMicro: known.faceValue,
      verdicts: {},
      names: {},
    };
    const { checks } = judgeMandate(this.#mandate, proposal, facts);
    // The counterparty, and the determinations that must be CLEAN, are judged later, when they are known.
    const open = checks.find(
      (c) => c.outcome === 'INCONCLUSIVE' && !/^mandate-(?:counterparty$|clean-)/.test(c.id),
    );
    const broken = checks.find((c) => c.outcome === 'FLAG') ?? open;
    if (broken === undefined) return null;
    return `${broken.detail}${broken.limit === undefined ? '' : ` The mandate says ${broken.limit}.`}`;
  }

  /** What a bid that it places or leaves by itself holds. */
  promise(amount: Micro): void {
    this.#amount += amount;
    this.#resting += 1;
    this.#bids += 1;
  }

  /** What an order that it placed by itself held, which leaves the book. */
  free({ limit, unfunded }: Pick<OwnOrder, 'limit' | 'unfunded'>): void {
    this.#amount = maxMicro(0n, this.#amount - limit);
    if (unfunded) this.#unfunded = maxMicro(0n, this.#unfunded - limit);
    this.#resting = Math.max(0, this.#resting - 1);
    this.#bids = Math.max(0, this.#bids - 1);
  }
}

export function least(bounds: readonly Bound[]): Bound {
  return bounds.reduce((a, b) => (b.amount < a.amount ? b : a));
}

/** Rounds down to the tick. */
export function toTick(amount: Micro): Micro {
  return (amount / CENT) * CENT;
}

export function usd(amount: Micro): string {
  return formatUsd(amount);
}
