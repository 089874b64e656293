import { listsTell, mandateAllows } from '../mandate/grammar/pairing.ts';
import type { Mandate } from '../mandate/terms/schema.ts';
import { LEAST_REST_MS } from '../market/probing.ts';
import { type Micro, minMicro, parseUsd } from '../money.ts';
import { type Bound, type Budget, least, toTick, usd } from './budget.ts';
import { type Decision, leave, ref, worthFigures } from './decision.ts';
import type { LotSeen, Observation, OwnOrder } from './observation.ts';

/** How much of its worth it pays at most, in basis points: less when the evidence is thin, or its interval wide. */
const WORTH_BY = { firm: 9_500n, thin: 8_500n } as const;
/** It does not bid less than this share of the ask, in percent. */
export const LEAST_OF_ASK = 60n;
/**
 * A limit moves down or up only if it changes by more than these many percent, and up at the earliest this long after
 * the last move.
 */
const DOWN_PERCENT = 3n;
const UP_PERCENT = 5n;
const UP_AFTER_MS = 600_000;
const LASTS_MS = 86_400_000;
const RENEW_MS = 3_600_000;
const SOON_MS = 600_000;
/** How many bids it keeps by itself, beside what it sells and what its owner orders. */
const MOST_BIDS = 10;

/** How much a lot is worth to the agent: a limit to bid, or the reason why it does not bid. */
type Appraisal =
  | {
      readonly limit: Micro;
      /** The upper bound that hysteresis must not exceed: what the lot is worth, and every cap. */
      readonly most: Micro;
      readonly bound: Bound;
      readonly figures: Readonly<Record<string, string>>;
      readonly market: string;
    }
  | { readonly reason: string; readonly says: string; readonly figures: Readonly<Record<string, string>> };

/** Decides about one lot, on which this agent may already have an order that it placed by itself. */
export function decideBuy(
  seen: Observation,
  mandate: Mandate,
  budget: Budget,
  lot: LotSeen,
  own: OwnOrder | null,
): Decision {
  if (own !== null && !own.byItself) {
    return leave('buy', lot, 'owner-order', 'Its owner placed an order here, and moves it.', {}, own.orderId);
  }
  if (own !== null) budget.free(own);
  const found = appraise(seen, mandate, budget, lot, own);
  if (own !== null) return decideOnOwn(seen, budget, lot, own, found, mandate);
  if ('reason' in found) return leave('buy', lot, found.reason, found.says, found.figures);
  if (budget.bids >= MOST_BIDS)
    return leave(
      'buy',
      lot,
      'enough-orders',
      `It has ${MOST_BIDS} bids of its own already, which is as many as it keeps.`,
      found.figures,
    );
  budget.promise(found.limit);
  return {
    action: 'rest',
    side: 'buy',
    topic: lot.listingRef,
    reason: 'worth',
    ...ref(lot),
    orderId: null,
    order: { category: lot.category, limit: found.limit, expiresAt: expiry(seen.at, mandate) },
    says: `It bids up to ${usd(found.limit)}: ${found.market}. The limit is held by ${found.bound.name}.`,
    figures: found.figures,
  };
}

function decideOnOwn(
  seen: Observation,
  budget: Budget,
  lot: LotSeen,
  own: OwnOrder,
  found: Appraisal,
  mandate: Mandate,
): Decision {
  const now = Date.parse(seen.at);
  const age = now - Date.parse(own.createdAt);
  const left = Date.parse(own.expiresAt) - now;
  const keep = (reason: string, says: string): Decision => {
    budget.promise(own.limit);
    return leave('buy', lot, reason, says, found.figures, own.orderId);
  };
  const young = age < LEAST_REST_MS;
  const end = (action: 'cancel' | 'expire', reason: string, says: string): Decision => {
    if (young) return keep('too-young', 'It wants its order back, which must rest for two seconds first.');
    if (action === 'expire') budget.promise(own.limit);
    return {
      action,
      side: 'buy',
      topic: lot.listingRef,
      reason,
      ...ref(lot),
      orderId: own.orderId,
      order: null,
      says: `${action === 'expire' ? 'It lets its order end by itself' : 'It takes its order back'}: ${says}`,
      figures: found.figures,
    };
  };
  if ('reason' in found) {
    const soon = left <= SOON_MS && found.reason !== 'mandate' && found.reason !== 'sibling-bids';
    return end(soon ? 'expire' : 'cancel', found.reason, found.says);
  }
  const { limit, most } = found;
  const lower = own.limit > most || (own.limit - limit) * 100n > own.limit * DOWN_PERCENT;
  const higher = (limit - own.limit) * 100n >= own.limit * UP_PERCENT && age >= UP_AFTER_MS;
  const until = expiry(seen.at, mandate);
  // With its mandate an order ends for good: renewed, it would lose its place in time and gain nothing.
  const renew = left < RENEW_MS && Date.parse(until) > Date.parse(own.expiresAt);
  if (!lower && !higher && !renew)
    return keep('in-band', `Its order at ${usd(own.limit)} stands near what it would bid now.`);
  // Its next order would be a new one beside another of its owner's, and is refused.
  if (lot.siblingSince !== null)
    return lower
      ? end(
          'cancel',
          'sibling-bids',
          `It would bid only ${usd(limit)} now, and another agent of its owner has come to bid here: it never bids against its owner.`,
        )
      : keep(
          'sibling-bids',
          `Its order at ${usd(own.limit)} stays as it is until it ends: another agent of its owner has come to bid here, and it never bids against its owner.`,
        );
  if (young) return keep('too-young', 'It wants to move its order, which must rest for two seconds first.');
  const next = lower || higher ? limit : own.limit;
  budget.promise(next);
  return {
    action: 'reprice',
    side: 'buy',
    topic: lot.listingRef,
    reason: lower ? 'lower' : higher ? 'higher' : 'renew',
    ...ref(lot),
    orderId: own.orderId,
    order: { category: lot.category, limit: next, expiresAt: until },
    says:
      next === own.limit
        ? `It renews its order at ${usd(next)} before it ends.`
        : `It moves its limit from ${usd(own.limit)} to ${usd(next)}: ${found.market}. The limit is held by ${found.bound.name}.`,
    figures: { ...found.figures, before: usd(own.limit) },
  };
}

/** The highest limit to bid, or why it should not bid. */
function appraise(
  seen: Observation,
  mandate: Mandate,
  budget: Budget,
  lot: LotSeen,
  own: OwnOrder | null,
): Appraisal {
  const asked = { ask: usd(lot.ask) };
  const no = (
    reason: string,
    says: string,
    figures: Readonly<Record<string, string>> = asked,
  ): Appraisal => ({ reason, says, figures });
  if (lot.ours) return no('own-lot', 'Its own owner sells this lot: it never buys from its owner.');
  if (lot.stopped)
    return no(
      'stopped',
      'A deal with this seller over this lot was stopped, and what stopped it has not changed: it would not match.',
    );
  const first = lot.siblingSince === null || (own !== null && own.createdAt < lot.siblingSince);
  if (!first)
    return no('sibling-bids', 'Another agent of its owner bids here: it never bids against its owner.');
  const { worth: known, faceValue } = lot;
  if ('unjudged' in known)
    return no(
      'no-valuation',
      `The price cannot be judged: ${known.unjudged}. It does not buy what it cannot value.`,
    );
  const bounds = budget.bounds();
  if (bounds === null)
    return no(
      'unread',
      'Its caps and its money could not be read from the chain: it buys nothing meanwhile.',
    );
  if (!budget.hasRoom())
    return no('deals-used', 'Its mandate allows no further deal, with those under way and resting counted.');
  const { value } = known;
  const basis = known.firm ? WORTH_BY.firm : WORTH_BY.thin;
  const worth = (value * basis) / 10_000n;
  const all: readonly Bound[] = [
    { name: `its valuation, ${basis / 100n} percent of what it is worth`, amount: worth },
    ...shareOf(mandate.max_pct_of_market, 'market', value),
    ...shareOf(mandate.max_pct_of_face, 'face value', faceValue),
    ...bounds,
    { name: 'the ask', amount: lot.ask },
  ];
  const bound = least(all);
  const limit = toTick(bound.amount);
  const figures = {
    ...asked,
    limit: usd(limit),
    ...worthFigures(known),
    lowest: usd(known.low),
    highest: usd(known.high),
    worth: usd(worth),
    ...(faceValue === null ? {} : { faceValue: usd(faceValue) }),
    ...Object.fromEntries(bounds.map((b) => [b.name, unbounded(b.amount) ? 'no limit' : usd(b.amount)])),
  };
  const reach = leastBid(lot);
  if (limit <= 0n || limit < reach) {
    const dear = lot.negotiable
      ? `less than ${LEAST_OF_ASK} percent of the ask`
      : 'less than the fixed price';
    return no(
      'too-dear',
      `It could bid ${usd(limit)}, held by ${bound.name}: ${dear} of ${usd(lot.ask)}.`,
      figures,
    );
  }
  if (known.by === 'attributes' && limit < known.low)
    return no(
      'suspect-price',
      `It could bid ${usd(limit)}, and ${known.says}: at such a price the deal would be flagged.`,
      figures,
    );
  const proposal = {
    side: 'buy' as const,
    category: lot.category,
    priceMicro: limit,
    chainId: lot.chainId,
    at: seen.at,
  };
  const forbidden = budget.forbids(proposal, { value, faceValue });
  if (forbidden !== null) return no('mandate', `Its mandate forbids it: ${forbidden}`, figures);
  if (!mandateAllows(mandate, proposal, lot.seller))
    return no('mandate', 'Its mandate does not allow this seller.', figures);
  if (!listsTell(mandate, proposal, lot.seller))
    return no(
      'mandate',
      'Nobody here can tell whose a name in its mandate is, which may be this seller: a new mandate can give the address.',
      figures,
    );
  return {
    limit,
    most: minMicro(value, least(all.slice(1)).amount),
    bound,
    figures,
    market: known.says,
  };
}

/** What the mandate's share of a reference allows; no bound where it names no share, or the reference is not known. */
function shareOf(percent: string | undefined, of: string, reference: Micro | null): Bound[] {
  if (percent === undefined || reference === null) return [];
  const amount = (reference * parseUsd(percent, 'percent')) / 100_000_000n;
  return [{ name: `the mandate's ${percent} percent of the ${of}`, amount }];
}

/** The smallest limit at which an agent bids on a lot at all, micro-dollars. */
export function leastBid({ ask, negotiable }: Pick<LotSeen, 'ask' | 'negotiable'>): Micro {
  return negotiable ? (ask * LEAST_OF_ASK) / 100n : ask;
}

/** The chain uses the largest word for "no such cap". */
function unbounded(amount: Micro): boolean {
  return amount > 10n ** 24n;
}

/** One day, but not beyond the end of the mandate. */
function expiry(at: string, mandate: Mandate): string {
  return new Date(Math.min(Date.parse(at) + LASTS_MS, Date.parse(mandate.expires_at))).toISOString();
}
