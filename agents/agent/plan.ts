import { Budget } from './budget.ts';
import { decideBuy } from './buying.ts';
import { type Decision, idle } from './decision.ts';
import type { LotSeen, Observation, OwnOrder } from './observation.ts';
import { decideSell } from './selling.ts';

/**
 * What an agent does about the market: one decision for each lot, or one that says why it does nothing. The function is
 * pure: the same observation gives the same plan, in whatever order its lots come. A plan never exceeds the mandate, the
 * caps, the money and the agent's own valuation. Resting orders are planned first, so that new bids get what is left.
 */
export function plan(seen: Observation): readonly Decision[] {
  const { handle, mandate } = seen;
  if (seen.tier === 'EXECUTOR')
    return [
      idle(handle, 'executor', 'An EXECUTOR does nothing by itself: it carries out what its owner signs.'),
    ];
  if (seen.status !== 'active')
    return [idle(handle, 'not-active', `It is ${seen.status}, and does nothing.`)];
  if (mandate === null) return [idle(handle, 'no-mandate', 'It has no mandate in force, and does nothing.')];
  if (!(Date.parse(seen.at) < Date.parse(mandate.expires_at)))
    return [idle(handle, 'mandate-over', `Its mandate ended at ${mandate.expires_at}.`)];
  const budget = new Budget(seen, mandate);
  const sells =
    mandate.side === 'buy' ? [] : sorted(seen.offers).map((o) => decideSell(seen, mandate, budget, o));
  if (mandate.side === 'sell') return [...sells, ...quiet(seen, sells)];
  const mine = new Map([...seen.buys].sort(byAge).map((o) => [o.listingRef, o]));
  const standing = sorted(seen.lots).filter((l) => mine.has(l.listingRef));
  const open = seen.lots.filter((l) => !mine.has(l.listingRef)).sort(byBargain);
  const buys = [...standing, ...open].map((lot) =>
    decideBuy(seen, mandate, budget, lot, mine.get(lot.listingRef) ?? null),
  );
  return [...sells, ...buys, ...quiet(seen, [...sells, ...buys])];
}

/** The one decision to report when there is nothing to decide. */
function quiet({ handle }: Observation, decisions: readonly Decision[]): Decision[] {
  return decisions.length > 0
    ? []
    : [
        idle(
          handle,
          'nothing-to-see',
          'Nothing that its mandate covers is for sale, and it has nothing listed.',
        ),
      ];
}

function sorted<T extends { readonly listingRef: string }>(rows: readonly T[]): T[] {
  return [...rows].sort(byRef);
}

function byRef(a: { readonly listingRef: string }, b: { readonly listingRef: string }): number {
  return a.listingRef < b.listingRef ? -1 : a.listingRef > b.listingRef ? 1 : 0;
}

/**
 * The owner's orders first, then those the agent placed by itself, each by age: the last order on a lot is the one that
 * the agent manages.
 */
function byAge(a: OwnOrder, b: OwnOrder): number {
  if (a.byItself !== b.byItself) return a.byItself ? 1 : -1;
  return a.createdAt === b.createdAt ? (a.orderId < b.orderId ? -1 : 1) : a.createdAt < b.createdAt ? -1 : 1;
}

/** The highest ratio of worth to ask first; lots that cannot be valued last. */
function byBargain(a: LotSeen, b: LotSeen): number {
  const [x, y] = [a, b].map(({ worth }) => ('value' in worth ? worth.value : 0n)) as [bigint, bigint];
  const [left, right] = [x * b.ask, y * a.ask];
  return left > right ? -1 : left < right ? 1 : byRef(a, b);
}
