import { Type } from 'typebox';
import { SERIAL_KINDS } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { CERTIFICATE_LIMIT } from '../../agents/certificates.ts';
import { AppError } from '../../agents/errors.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { toUsd } from '../../agents/money.ts';
import type { SignedText } from '../../chain/asset-listings.ts';
import { listingWords } from '../../runtime/acts/allow-sale.ts';
import { takeOrderBack } from '../../runtime/acts/cancel-order.ts';
import { listAsset, readListing } from '../../runtime/acts/list-asset.ts';
import { readLive, readOwned, requireAgent } from '../../runtime/acts/live-agent.ts';
import { placeOrder, readOrder } from '../../runtime/acts/place-order.ts';
import { readOrdering } from '../../runtime/acts/ready-order.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { ordersOf } from '../../store/orders.ts';
import type { App, Request } from '../app.ts';
import { PagesOf } from '../cursors.ts';
import { bySeq, ownCursor, ownPage, ownRows } from '../own-cursors.ts';
import type { RequireOwner } from '../plugins/owner-signature.ts';
import {
  AssetKey,
  CategoryName,
  EvmAddress,
  Handle,
  OWNER_PROBLEMS,
  ownerSigned,
  pageQuery,
  problems,
  Time,
  Usd,
  UsdIn,
} from '../schemas.ts';

export const AssetBody = Type.Object(
  {
    chainId: Type.Optional(Type.Integer({ minimum: 1 })),
    contract: Type.Optional(EvmAddress),
    tokenId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    serial: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    serialKind: Type.Optional(Type.Enum([...SERIAL_KINDS])),
  },
  { additionalProperties: false, description: 'contract with tokenId, or a serial' },
);

const writeProblems = problems(
  ...OWNER_PROBLEMS,
  'agent-not-active',
  'not-listed',
  'double-pledge',
  'conflict',
  'mandate-exceeded',
);

/** An order as its owner sees it: with the limit that nobody else is shown. */
const OwnOrder = Type.Object({
  orderId: Type.String(),
  side: Type.Enum(['buy', 'sell']),
  lot: AssetKey,
  listingRef: Type.String(),
  category: CategoryName,
  limitUsd: Usd,
  openingBidUsd: Type.Union([Usd, Type.Null()]),
  status: Type.Enum(['resting', 'matched', 'filled', 'cancelled', 'expired', 'unwound']),
  createdAt: Time,
  expiresAt: Time,
  leftAt: Type.Union([Time, Type.Null()]),
});

/** By what a real-world lot is listed, and what that is worth. */
const IssuedCertificate = Type.Object({
  contract: EvmAddress,
  tokenId: Type.String(),
  serial: AssetKey,
  limit: Type.String({ description: 'what the certificate does not prove' }),
  url: Type.String(),
});

/** What an agent's owner does on the market: list an asset, rest an order, take one back. */
export function orderRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  /** 404, then the live owner's signature: 401 or 403; what is judged comes after. */
  async function authorised(request: Request, handle: string, statement: string) {
    const owned = readOwned(services, await requireAgent(services, handle));
    const wallet = owned.then(({ chain }) => lowerAddress(chain.owner));
    await requireOwner(request, { wallet, statement, chainId: HOME_CHAIN });
    return await owned;
  }

  app.post(
    '/agent/:handle/assets',
    {
      schema: {
        operationId: 'agent-list-asset',
        summary: 'List an asset once control of it is proved on chain',
        security: ownerSigned,
        tags: ['market'],
        params: Type.Object({ handle: Handle }),
        body: Type.Object(
          {
            asset: AssetBody,
            description: Type.String({ minLength: 1, maxLength: 500 }),
            askUsd: UsdIn,
            negotiable: Type.Boolean(),
            floorUsd: Type.Optional(UsdIn),
            category: CategoryName,
            gate: Type.Enum(['deposit', 'owner-signed']),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({ listingRef: Type.String(), certificate: Type.Optional(IssuedCertificate) }),
          ...writeProblems,
        },
      },
    },
    async (request, reply) => {
      const terms = readListing(request.body);
      const { handle } = request.params;
      const live = await readLive(services, await requireAgent(services, handle));
      const said = await listingWords(services, live, terms.asset);
      const wallet = lowerAddress(live.chain.owner);
      // The text goes on chain, where the floor that the body may hold never does, not even as a hash that tells it.
      await requireOwner(request, { wallet, ...said, salted: terms.negotiable, chainId: HOME_CHAIN });
      const words = request.signedText as SignedText;
      const { listing, certificate } = await listAsset(services, live, { ...terms, words }, request.lastCall);
      return reply.code(201).send({
        listingRef: listing.listing_ref,
        ...(certificate === null
          ? {}
          : {
              certificate: {
                contract: certificate.contract,
                tokenId: certificate.tokenId,
                serial: listing.asset_key,
                limit: CERTIFICATE_LIMIT,
                url: `${services.config.baseUrl}/certificates/${certificate.tokenId}`,
              },
            }),
      });
    },
  );

  app.post(
    '/order',
    {
      schema: {
        operationId: 'order',
        summary: 'Rest an intent; an overlap fires a match at the midpoint',
        security: ownerSigned,
        tags: ['market'],
        body: Type.Object(
          {
            handle: Handle,
            side: Type.Enum(['buy', 'sell']),
            asset: Type.Optional(AssetBody),
            listingRef: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
            category: CategoryName,
            limitUsd: UsdIn,
            openingBidUsd: Type.Optional(UsdIn),
            expiresAt: Type.Optional(Type.String({ maxLength: 40 })),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            orderId: Type.String(),
            status: Type.Enum(['resting', 'matched']),
            priceToBeatUsd: Usd,
            expiresAt: Time,
            match: Type.Optional(
              Type.Object({ matchId: Type.String(), dealId: Type.String(), clearingPriceUsd: Usd }),
            ),
          }),
          ...writeProblems,
        },
      },
    },
    async (request, reply) => {
      const terms = readOrder(request.body, services.now());
      const { handle, side } = request.body;
      const statement = `Rest an order to ${side} for agent ${handle}`;
      // What is not signed yet is asked for no more than whose signature it wants.
      if (request.headers.authorization === undefined) await authorised(request, handle, statement);
      const ordering = readOrdering(services, handle, terms.listingRef);
      const wallet = ordering.then(({ chain }) => lowerAddress(chain.owner));
      const proven = await requireOwner.prove(request, { wallet, statement, chainId: HOME_CHAIN });
      const placing = placeOrder(services, await ordering, terms, request.lastCall, proven);
      const { order, priceToBeat, match } = await placing.catch(async (error: unknown) => {
        // Whoever was refused has used the signature as well; whoever met a fault may send it again.
        if (error instanceof AppError) await proven.useUp();
        throw error;
      });
      return reply.code(201).send({
        orderId: order.order_id,
        status: match ? ('matched' as const) : ('resting' as const),
        priceToBeatUsd: toUsd(priceToBeat),
        expiresAt: order.expires_at.toISOString(),
        ...(match
          ? { match: { matchId: match.matchId, dealId: match.dealId, clearingPriceUsd: toUsd(match.price) } }
          : {}),
      });
    },
  );

  app.post(
    '/order/:orderId/cancel',
    {
      schema: {
        operationId: 'order-cancel',
        summary: 'Take a resting order back',
        security: ownerSigned,
        tags: ['market'],
        params: Type.Object({ orderId: Type.String({ maxLength: 64 }) }),
        body: Type.Object({ handle: Handle }, { additionalProperties: false }),
        response: {
          200: Type.Object({ orderId: Type.String(), status: Type.Literal('cancelled') }),
          ...writeProblems,
        },
      },
    },
    async (request) => {
      const { orderId } = request.params;
      const { handle } = request.body;
      await authorised(request, handle, `Cancel an order of agent ${handle}`);
      await takeOrderBack(services, { orderId, handle }, request.lastCall);
      return { orderId, status: 'cancelled' as const };
    },
  );

  app.get(
    '/agent/:handle/orders',
    {
      schema: {
        operationId: 'agent-orders',
        summary: "An agent's orders with their limits, for its owner",
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        querystring: Type.Object({ ...pageQuery, cursor: ownCursor }),
        response: { 200: PagesOf(OwnOrder), ...writeProblems },
      },
    },
    async (request) => {
      const { handle } = request.params;
      const list = { name: 'orders', of: handle } as const;
      const page = ownRows(services.cursorSeal, list, request.query, bySeq.read);
      await authorised(request, handle, `Read the orders of agent ${handle}`);
      const rows = await ordersOf(services.db, handle, page);
      const shown = (o: (typeof rows)[number]) => ({
        orderId: o.order_id,
        side: o.side,
        lot: o.asset_key,
        listingRef: o.listing_ref,
        category: o.category as Category,
        limitUsd: toUsd(o.limit_price),
        openingBidUsd: o.opening_bid === null ? null : toUsd(o.opening_bid),
        status: o.status,
        createdAt: o.created_at.toISOString(),
        expiresAt: o.expires_at.toISOString(),
        leftAt: o.left_at?.toISOString() ?? null,
      });
      return ownPage(services.cursorSeal, list, rows, request.query, { shown, place: bySeq.place });
    },
  );
}
