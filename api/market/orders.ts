import { Type } from 'typebox';
import { ASSUMED_CHAIN, assetKey, SERIAL_KINDS } from '../../agents/assets.ts';
import { CERTIFICATE_LIMIT } from '../../agents/certificates/certificates.ts';
import { Refusal } from '../../agents/errors.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { listingWords as listingSaid } from '../../agents/market/goods-words.ts';
import { toUsd } from '../../agents/money.ts';
import type { SignedText } from '../../chain/clients/asset-listings.ts';
import { beneficialOwner, readLive, readOwned, requireAgent } from '../../runtime/agent/live-agent.ts';
import { refuseItself } from '../../runtime/market/listings/agent-for-sale.ts';
import { listingWords } from '../../runtime/market/listings/allow-sale.ts';
import { listAsset, readListing } from '../../runtime/market/listings/list-asset.ts';
import { takeOrderBack } from '../../runtime/market/orders/cancel-order.ts';
import { readOrder } from '../../runtime/market/orders/order-terms.ts';
import { placeOrder } from '../../runtime/market/orders/place-order.ts';
import { readOrderingAgent } from '../../runtime/market/orders/read-ordering-agent.ts';
import {
  type SaidBeforehand,
  saidBeforeOrder,
  saidOfCancel,
  saidOfOrder,
} from '../../runtime/market/orders/said-before-signing.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { findListing, type ListingRow } from '../../store/market/listings.ts';
import { openDisputesShown } from '../certificates/open-dispute-document.ts';
import type { App, Request } from '../http/app.ts';
import type { OwnerDemand, RequireOwner } from '../http/auth/owner-signature.ts';
import {
  AssetKey,
  CategoryName,
  EvmAddress,
  Handle,
  OWNER_PROBLEMS,
  ownerSigned,
  PriceIn,
  problems,
  signedAfter,
  Time,
  Usd,
} from '../schemas.ts';
import { listingFee, listingFeeOf } from './listing-fee.ts';
import { AttributesBody, saidBeforehand } from './lot-shapes.ts';
import { missing, missingOf } from './own-orders.ts';

export const AssetBody = Type.Object(
  {
    chainId: Type.Optional(
      Type.Integer({ minimum: 1, description: `of the contract; ${ASSUMED_CHAIN} when left out` }),
    ),
    contract: Type.Optional(EvmAddress),
    tokenId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    serial: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    serialKind: Type.Optional(Type.Enum([...SERIAL_KINDS])),
    maker: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'who made it, of a serial that no standard knows',
      }),
    ),
  },
  { additionalProperties: false, description: 'contract with tokenId, or a serial' },
);

const WRITE_PROBLEMS = [
  ...OWNER_PROBLEMS,
  'agent-not-active',
  'not-listed',
  'double-pledge',
  'disputed',
  'conflict',
  'mandate-exceeded',
] as const;
const writeProblems = problems(...WRITE_PROBLEMS);

/** The certificate by which a real-world lot is listed, and what such a certificate proves. */
const IssuedCertificate = Type.Object({
  contract: EvmAddress,
  tokenId: Type.String(),
  serial: AssetKey,
  limit: Type.String({ description: 'what the certificate does not prove' }),
  url: Type.String(),
});

/** Routes for what an agent's owner does on the market: list an asset, place an order, cancel one. */
export function orderRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  /**
   * Answers 404 for an unknown agent, then requires its present owner's signature (401 or 403), before anything else is
   * judged.
   */
  async function authorised(
    request: Request,
    handle: string,
    statement: OwnerDemand['statement'],
    beside?: (owned: Awaited<ReturnType<typeof readOwned>>) => Promise<SaidBeforehand>,
  ) {
    const owned = readOwned(services, await requireAgent(services, handle));
    const wallet = owned.then(({ chain }) => lowerAddress(chain.owner));
    await requireOwner(request, {
      ...{ wallet, statement, chainId: HOME_CHAIN },
      ...(beside === undefined ? {} : { beside: async () => shownBeforehand(await beside(await owned)) }),
    });
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
            attributes: Type.Optional(AttributesBody),
            askUsd: PriceIn,
            negotiable: Type.Boolean(),
            floorUsd: Type.Optional(PriceIn),
            category: CategoryName,
            gate: Type.Enum(['deposit', 'owner-signed']),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            listingRef: Type.String(),
            ...listingFee,
            certificate: Type.Optional(IssuedCertificate),
          }),
          ...problems(...WRITE_PROBLEMS, 'relay-budget'),
        },
      },
    },
    async (request, reply) => {
      const terms = readListing(request.body);
      const { handle } = request.params;
      const agent = await requireAgent(services, handle);
      refuseItself(agent, terms.asset);
      const live = await readLive(services, agent);
      const says = listingSaid({
        ...terms,
        handle,
        lot: { key: assetKey(terms.asset), description: terms.description },
      });
      const said = await listingWords(services, live, terms, says);
      const wallet = lowerAddress(live.chain.owner);
      // The signed text goes on chain. The body may hold the floor, which must never be public, not even as a hash from
      // which it could be guessed; so the hash is salted.
      await requireOwner(request, { wallet, ...said, salted: terms.negotiable, chainId: HOME_CHAIN });
      const words = request.signedText as SignedText;
      const { listing, certificate } = await listAsset(services, live, { ...terms, words }, request.lastCall);
      return reply.code(201).send({
        listingRef: listing.listing_ref,
        ...listingFeeOf(services.config.prices, listing),
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
        summary: 'Rest an intent; an overlap fires a match at the midpoint, once the account covers it',
        security: ownerSigned,
        tags: ['market'],
        body: Type.Object(
          {
            handle: Handle,
            side: Type.Enum(['buy', 'sell']),
            asset: Type.Optional(AssetBody),
            listingRef: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
            category: CategoryName,
            limitUsd: PriceIn,
            openingBidUsd: Type.Optional(PriceIn),
            expiresAt: Type.Optional(
              Type.String({
                maxLength: 40,
                description:
                  'at most 90 days ahead; left out, a buy order ends after seven days, and a sell order when the one ends that it replaces',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            orderId: Type.String(),
            status: Type.Enum(['resting', 'matched', 'unfunded']),
            ...missing,
            priceToBeatUsd: Usd,
            expiresAt: Time,
            match: Type.Optional(
              Type.Object({ matchId: Type.String(), dealId: Type.String(), clearingPriceUsd: Usd }),
            ),
            ...saidBeforehand,
          }),
          ...writeProblems,
          401: signedAfter(saidBeforehand),
        },
      },
    },
    async (request, reply) => {
      const terms = readOrder(request.body, services.now());
      const { handle, expiresAt } = request.body;
      const ends = expiresAt !== undefined;
      const says = (listing: ListingRow | null) => saidOfOrder(services, handle, terms, { ends, listing });
      // An unsigned request only causes the reads that are needed to ask for the signature.
      if (request.headers.authorization === undefined) {
        const { listingRef } = terms;
        let reading: Promise<ListingRow | null> | undefined;
        const named = async () => {
          reading ??= listingRef === null ? Promise.resolve(null) : findListing(services.db, listingRef);
          return await reading;
        };
        await authorised(
          request,
          handle,
          async () => says(await named()),
          async ({ agent, chain }) =>
            saidBeforeOrder(services, { agent, owner: chain.owner, listing: await named() }, terms),
        );
      }
      const ordering = readOrderingAgent(services, handle, terms.listingRef);
      const wallet = ordering.then(({ chain }) => lowerAddress(chain.owner));
      const beforehand = ordering.then(({ agent, chain, look }) =>
        saidBeforeOrder(
          services,
          { agent, owner: chain.owner, listing: look?.before.listing ?? null },
          terms,
        ),
      );
      // Whatever is wrong with the signature is told first.
      beforehand.catch(() => {});
      const statement = async () => await says((await ordering).look?.before.listing ?? null);
      const demand = { wallet, statement, chainId: HOME_CHAIN };
      const proven = await requireOwner.prove(request, {
        ...demand,
        beside: async () => shownBeforehand(await beforehand),
      });
      const said = shownBeforehand(await beforehand);
      const placing = placeOrder(services, await ordering, terms, request.lastCall, proven);
      const { order, priceToBeat, short, ...made } = await placing.catch(async (error: unknown) => {
        // A refusal uses the signature up, too. After a fault of the service the same signature may be sent again.
        if (error instanceof Refusal && error.code !== 'unavailable') await proven.useUp();
        throw error;
      });
      const match = order.status === 'matched' ? made.match : null;
      return reply.code(201).send({
        orderId: order.order_id,
        status: match ? ('matched' as const) : short ? ('unfunded' as const) : ('resting' as const),
        ...missingOf(short),
        priceToBeatUsd: toUsd(priceToBeat),
        expiresAt: order.expires_at.toISOString(),
        ...said,
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
      const owned = await authorised(request, handle, () => saidOfCancel(services, { orderId, handle }));
      const owner = await beneficialOwner(services, owned);
      await takeOrderBack(services, { orderId, handle, owner }, request.lastCall);
      return { orderId, status: 'cancelled' as const };
    },
  );
}

/** What is said beforehand, as the wire has it. */
function shownBeforehand({ willNotBeJudged, yourSettingsThen, openDisputes }: SaidBeforehand) {
  return {
    willNotBeJudged: [...willNotBeJudged],
    yourSettingsThen,
    openDisputes: openDisputesShown(openDisputes),
  };
}
