import { mostByCaps } from '../../agents/agent/budget.ts';
import type { LotSeen, Observation, OfferSeen, OwnOrder } from '../../agents/agent/observation.ts';
import { isByItself } from '../../agents/agent/order-id.ts';
import { CATEGORIES, type Category } from '../../agents/categories.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { faceValueOf } from '../../agents/market/pricing/face-value.ts';
import type { Attributes } from '../../agents/market/pricing/model/attributes.ts';
import { findMandate } from '../../store/agent/agents.ts';
import { heldBy } from '../../store/agent/reservations.ts';
import { soldBy } from '../../store/agent/sales.ts';
import { lotsForSale, ownBuys, ownOffers } from '../../store/agent/trading.ts';
import type { Database } from '../../store/database.ts';
import type { OrderRow } from '../../store/market/lots.ts';
import { barredLots } from '../../store/market/stops.ts';
import { attributesFor, evidenceNow, type SalesQuestion } from '../determinations/public.ts';
import type { LiveAgent } from './live-agent.ts';

/** How much of the market one evaluation reads, and for whom. */
interface Scope {
  /** The agent's beneficial owner, lower case: other agents of this owner count as its own side. */
  readonly owner: string;
  /** Only these lots, besides what it bids on and sells; null: a page of all. */
  readonly lots: readonly string[] | null;
  /** The page after this place; null: the first. */
  readonly after?: string | null;
  readonly now: Date;
}

/** An observation of lots that were named, or of a page of the market. */
export type Page = Observation & {
  /** Where the page ended; null where no other follows. */
  readonly next: string | null;
  /** By listing: whose sales its worth follows from. */
  readonly salesAsked: ReadonlyMap<string, SalesQuestion>;
};

/** How many lots, and how many listings of its own, an agent reads in one evaluation. */
const MOST_LOTS = 50;

/**
 * What an agent sees of the market now. The chain's part was read for `live`. What a lot's sales say is read once for
 * all agents, for as long as the sales are the same.
 */
export async function observe(
  db: Database,
  { agent, chain }: LiveAgent,
  { owner, lots: among, after = null, now }: Scope,
): Promise<Page> {
  const { handle } = agent;
  const mandate = (await findMandate(db, handle))?.structured ?? null;
  const most = mandate === null ? 0n : mostByCaps(mandate);
  const [at, seq, ofOwn = null] = after?.split('|') ?? [];
  const place = at === undefined ? null : `${at}|${seq}`;
  const [market, buys, own, held, sold] = await Promise.all([
    lotsForSale(db, {
      ...{ handle, owner, categories: buysIn(mandate), among, most, after: place, limit: MOST_LOTS },
    }),
    ownBuys(db, handle),
    ownOffers(db, { handle, among, after: ofOwn, limit: MOST_LOTS }),
    heldBy(db, { handle, owner }, now),
    soldBy(db, { handle, owner }, now),
  ]);
  const { lots } = market;
  const { offers } = own;
  const sales = await evidenceNow(
    db,
    [...lots, ...offers].map((l) => l.category as Category),
  );
  const barred = await barredLots(db, { handle, owner }, lots, now);
  const salesAsked = new Map<string, SalesQuestion>();
  const worthOf = async (
    listed: {
      readonly listingRef: string;
      readonly category: string;
      readonly attributes: Attributes | null;
    },
    lot: string,
    parties: readonly string[],
  ) => {
    const attributes = attributesFor(lot, listed.attributes);
    const question = { category: listed.category as Category, lot, parties, now, attributes };
    salesAsked.set(listed.listingRef, question);
    return await sales.worth(question);
  };
  return {
    next: nextPlace(market.next, own.next),
    salesAsked,
    at: now.toISOString(),
    handle,
    tier: agent.tier,
    status: agent.status,
    mandate,
    remaining: chain.limits,
    funds: chain.balance,
    held,
    sold,
    lots: await Promise.all(
      lots.map(async (l): Promise<LotSeen> => {
        const category = l.category as Category;
        return {
          listingRef: l.listingRef,
          lot: l.lot,
          category,
          chainId: chainIdOf(l.chain),
          ask: l.ask,
          negotiable: l.negotiable,
          seller: { handle: l.handle, account: l.account, owner: l.owners[0] as string },
          ours: l.owners.includes(owner),
          siblingSince: l.siblingSince?.toISOString() ?? null,
          stopped: barred.has(l.lot),
          // Sales of this seller are left out: they do not show what the goods are worth to others.
          worth: await worthOf(l, l.lot, [...l.owners, owner]),
          faceValue: faceValueOf(l.attributes)?.amount ?? null,
        };
      }),
    ),
    buys: buys.map(ownOrder),
    offers: await Promise.all(
      offers.map(async (o): Promise<OfferSeen> => {
        const category = o.category as Category;
        return {
          listingRef: o.listingRef,
          lot: o.order.asset_key,
          category,
          chainId: chainIdOf(o.chain),
          ask: o.ask,
          negotiable: o.negotiable,
          listedAt: o.listedAt.toISOString(),
          ownerLimit: o.history.find((h) => !isByItself(h.orderId))?.limit ?? null,
          order: ownOrder(o.order),
          worth: await worthOf(o, o.order.asset_key, [owner]),
        };
      }),
    ),
  };
}

/** One place for both: behind whichever of the two is through, nothing more is found. */
function nextPlace(market: string | null, own: string | null): string | null {
  return market === null && own === null ? null : `${market ?? '-infinity|0'}|${own ?? '0'}`;
}

/** The categories in which it may buy. */
function buysIn(mandate: Mandate | null): readonly Category[] {
  if (mandate === null || mandate.side === 'sell') return [];
  return (mandate.categories_allow ?? CATEGORIES).filter((c) => !mandate.categories_deny?.includes(c));
}

function ownOrder(o: OrderRow): OwnOrder {
  return {
    orderId: o.order_id,
    listingRef: o.listing_ref,
    lot: o.asset_key,
    limit: o.limit_price,
    createdAt: o.created_at.toISOString(),
    expiresAt: o.expires_at.toISOString(),
    byItself: isByItself(o.order_id),
    unfunded: o.status === 'unfunded',
  };
}

function chainIdOf(caip2: string): number {
  return Number(caip2.split(':')[1]);
}
