import type { Mandate } from '../mandate/terms/schema.ts';
import { type Micro, maxMicro, minMicro, parseUsd } from '../money.ts';
import { type Budget, toTick, usd } from './budget.ts';
import { type Decision, leave, ref, worthFigures } from './decision.ts';
import type { Observation, OfferSeen } from './observation.ts';

/** How long its limit takes to fall from what the thing is worth to the limit that its owner set. */
const COMES_DOWN_MS = 7 * 86_400_000;
/**
 * A limit moves only if it changes by more than this many percent, and at the earliest this long after the last move.
 */
const MOVES_PERCENT = 3n;
const REST_MS = 3_600_000;

/**
 * Decides about a listing of the agent itself. Its private limit starts at what the thing is worth, but at most at the ask,
 * and falls to the limit that its owner set. The ask, and a fixed price, never change.
 */
export function decideSell(seen: Observation, mandate: Mandate, budget: Budget, offer: OfferSeen): Decision {
  const { order, ask, ownerLimit } = offer;
  const figures = { ask: usd(ask), before: usd(order.limit) };
  const stay = (reason: string, says: string, more: Readonly<Record<string, string>> = {}): Decision =>
    leave('sell', offer, reason, says, { ...figures, ...more }, order.orderId);
  if (!offer.negotiable) return stay('fixed-price', 'The price of this lot is fixed by its owner.');
  if (ownerLimit === null) return stay('no-room', 'What its owner would take at the least is not known.');
  const least = maxMicro(ownerLimit, parseUsd(mandate.min_price ?? '0', 'min_price'));
  if (least >= ask) return stay('no-room', 'Its owner leaves no room below the ask.', { least: usd(least) });
  const { worth } = offer;
  const valued = 'value' in worth ? worth : null;
  const value = valued === null ? least : minMicro(ask, maxMicro(least, valued.value));
  const age = Math.max(0, Date.parse(seen.at) - Date.parse(offer.listedAt));
  const target = lowered(least, value, age);
  const more = {
    least: usd(least),
    limit: usd(target),
    ...(valued === null ? {} : worthFigures(valued)),
  };
  const gap = target > order.limit ? target - order.limit : order.limit - target;
  if (gap * 100n <= order.limit * MOVES_PERCENT) {
    return valued !== null
      ? stay('in-band', `Its limit of ${usd(order.limit)} stands near what the market says.`, more)
      : stay(
          'no-valuation',
          `It stays at its owner's limit: ${'unjudged' in worth ? worth.unjudged : 'its worth is not known'}.`,
          more,
        );
  }
  if (!order.byItself && order.limit !== ownerLimit)
    return stay('owner-order', 'Its owner moved it last.', more);
  if (Date.parse(seen.at) - Date.parse(order.createdAt) < REST_MS)
    return stay('recent', 'It moves a limit once an hour at the most.', more);
  const forbidden = budget.forbids(
    { side: 'sell', category: offer.category, priceMicro: target, chainId: offer.chainId, at: seen.at },
    { value: valued?.value ?? null, faceValue: null },
  );
  if (forbidden !== null) return stay('mandate', `Its mandate forbids it: ${forbidden}`, more);
  return {
    action: 'reprice',
    side: 'sell',
    topic: offer.listingRef,
    reason: valued !== null ? 'market' : 'owner-limit',
    ...ref(offer),
    orderId: order.orderId,
    order: { category: offer.category, limit: target, expiresAt: order.expiresAt },
    says:
      valued !== null
        ? `It would take ${usd(target)} now, where it would have taken ${usd(order.limit)}: ${valued.says}; it comes down to ${usd(least)} within a week of the listing.`
        : `It goes back to its owner's limit of ${usd(target)}: the market does not say what the lot is worth.`,
    figures: { ...figures, ...more },
  };
}

/** The limit on a straight line over time from `value` down to `least`, on the tick and never below `least`. */
function lowered(least: Micro, value: Micro, ageMs: number): Micro {
  const left = BigInt(Math.max(0, COMES_DOWN_MS - Math.floor(ageMs)));
  return maxMicro(least, toTick(least + ((value - least) * left) / BigInt(COMES_DOWN_MS)));
}
