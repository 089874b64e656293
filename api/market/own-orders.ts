import { Type } from 'typebox';
import type { Category } from '../../agents/categories.ts';
import { needAndHave, type Short } from '../../agents/market/funds.ts';
import { toUsd } from '../../agents/money.ts';
import { type OwnFunds, readOwnFunds } from '../../runtime/market/orders/own-funds.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { lotTitles } from '../../store/market/lot-names.ts';
import type { OrderRow } from '../../store/market/lots.ts';
import { ordersOf } from '../../store/market/orders.ts';
import { readOwnList } from '../agent/own-list.ts';
import { formerOwner } from '../agent/own-time.ts';
import type { App, Request } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { PagesOf } from '../http/cursors.ts';
import { bySeq, ownCursor } from '../http/own-cursors.ts';
import {
  AssetKey,
  CategoryName,
  Handle,
  OWNER_PROBLEMS,
  ownerSigned,
  pageQuery,
  problems,
  Time,
  Usd,
} from '../schemas.ts';

/** What the account lacks of an unfunded order, for its owner alone. */
export const missing = {
  needUsd: Type.Optional(
    Type.Number({ description: 'where the order is unfunded: what the account must have for it' }),
  ),
  haveUsd: Type.Optional(
    Type.Number({ description: 'where the order is unfunded: what the account has, less what is in flight' }),
  ),
};

export function missingOf(short: Short | null): { needUsd?: number; haveUsd?: number } {
  return short === null ? {} : { needUsd: toUsd(short.need), haveUsd: toUsd(short.have) };
}

/** An order as its owner sees it, with the limit that nobody else may see. */
const OwnOrder = Type.Object({
  orderId: Type.String(),
  side: Type.Enum(['buy', 'sell']),
  lot: AssetKey,
  description: Type.Optional(Type.String({ description: "the seller's words for the lot" })),
  listingRef: Type.String(),
  category: CategoryName,
  limitUsd: Usd,
  openingBidUsd: Type.Union([Usd, Type.Null()]),
  status: Type.Enum(['resting', 'unfunded', 'matched', 'filled', 'cancelled', 'expired', 'unwound']),
  ...missing,
  createdAt: Time,
  expiresAt: Time,
  leftAt: Type.Union([Time, Type.Null()], {
    description: 'when it left the book; null while it rests or is unfunded, and where it never rested',
  }),
});

/** The money of the agent's account. What is in flight would tell of limits: the present owner alone sees it. */
const Funds = Type.Object({
  asOfBlock: Type.String(),
  balanceUsd: Usd,
  inFlightUsd: Type.Number({ description: 'limits of its resting buys and prices of its deals under way' }),
  spendableUsd: Type.Number({
    description: 'what one more purchase may cost: by its caps, and by its money',
  }),
});

const OwnOrders = Type.Object({
  ...PagesOf(OwnOrder).properties,
  funds: Type.Optional(Funds),
});

/** The orders of an agent, for its owner. */
export function ownOrderRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.get(
    '/agent/:handle/orders',
    {
      schema: {
        operationId: 'agent-orders',
        summary: "An agent's orders with their limits, for the owner in whose time they were placed",
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        querystring: Type.Object({ ...pageQuery, cursor: ownCursor, owner: formerOwner }),
        response: { 200: OwnOrders, ...problems(...OWNER_PROBLEMS) },
      },
    },
    async (request) => {
      const { handle } = request.params;
      const { owner, page, paged } = await readOwnList(services, requireOwner, request as Request, {
        name: 'orders',
        handle,
        statement: `Read the orders of agent ${handle}`,
        query: request.query,
        places: bySeq,
      });
      const rows = await ordersOf(services.db, { handle, owner }, page);
      // A former owner is told nothing of the agent's money now.
      const agent = request.query.owner === undefined ? await findAgent(services.db, handle) : null;
      const funds = agent === null ? null : await readOwnFunds(services, agent);
      const titles = await lotTitles(
        services.db,
        rows.map((row) => row.asset_key),
      );
      const orders = paged(rows, (row) => {
        const description = titles.get(row.asset_key)?.description;
        return { ...shownOrder(row, funds), ...(description === undefined ? {} : { description }) };
      });
      return funds === null ? orders : { ...orders, funds: shownFunds(funds) };
    },
  );
}

function shownOrder(o: OrderRow, funds: OwnFunds | null) {
  const isUnfunded = o.status === 'unfunded';
  return {
    orderId: o.order_id,
    side: o.side,
    lot: o.asset_key,
    listingRef: o.listing_ref,
    category: o.category as Category,
    limitUsd: toUsd(o.limit_price),
    openingBidUsd: o.opening_bid === null ? null : toUsd(o.opening_bid),
    status: o.status,
    // It may be covered already, and then it rests in a moment.
    ...(isUnfunded && funds !== null
      ? missingOf(needAndHave({ lot: o.asset_key, limit: o.limit_price }, funds))
      : {}),
    createdAt: o.created_at.toISOString(),
    expiresAt: o.expires_at.toISOString(),
    leftAt: isUnfunded ? null : (o.left_at?.toISOString() ?? null),
  };
}

function shownFunds({ block, balance, inFlight, spendable }: OwnFunds) {
  return {
    asOfBlock: block.toString(),
    balanceUsd: toUsd(balance),
    inFlightUsd: toUsd(inFlight),
    spendableUsd: toUsd(spendable),
  };
}
