import type { Decision } from '../../agents/agent/decision.ts';
import type { Observation } from '../../agents/agent/observation.ts';
import { plan } from '../../agents/agent/plan.ts';
import type { Worth } from '../../agents/market/pricing/worth.ts';
import { weighedWorth } from '../determinations/public.ts';
import type { Services } from '../services.ts';
import type { Page } from './observe.ts';

/**
 * What an agent does about a page of the market, by what lots are worth once the money behind past sales is weighed: two
 * sides that are one set no price. To follow money costs much more than all else of a page, so that it is done only for lots
 * on which it would place, move or keep an order of its own.
 * @throws AppError unavailable where that money could not be followed: it then changes nothing
 */
export async function planWeighed(deps: Services['evidence'], page: Page): Promise<readonly Decision[]> {
  const worths = new Map<string, Worth>();
  for (;;) {
    const seen = withWorths(page, worths);
    const decisions = plan(seen);
    const open = ordered(seen, decisions).filter((ref) => !worths.has(ref));
    if (open.length === 0) return decisions;
    // What is not ordered any more leaves room for others, which are weighed in turn.
    for (const ref of open) worths.set(ref, await weighedWorth(deps, page.salesAsked.get(ref)!));
  }
}

/** The listings on which an order of the agent's own decision will stand. */
function ordered({ buys, offers }: Observation, decisions: readonly Decision[]): string[] {
  const own = new Set(
    [...buys, ...offers.map((o) => o.order)].flatMap((o) => (o.byItself ? [o.orderId] : [])),
  );
  return decisions.flatMap(({ listingRef, order, orderId, action }) => {
    const stands = order !== null || (action === 'leave' && orderId !== null && own.has(orderId));
    return listingRef !== null && stands ? [listingRef] : [];
  });
}

function withWorths(page: Page, worths: ReadonlyMap<string, Worth>): Observation {
  const weighed = <Seen extends { readonly listingRef: string; readonly worth: Worth }>(
    seen: Seen,
  ): Seen => ({
    ...seen,
    worth: worths.get(seen.listingRef) ?? seen.worth,
  });
  return { ...page, lots: page.lots.map(weighed), offers: page.offers.map(weighed) };
}
