import { Type } from 'typebox';
import { CERTIFICATE_LIMIT, type TokenAsset } from '../../agents/certificates.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { toUsd } from '../../agents/money.ts';
import { plainly } from '../../agents/names/name.ts';
import type { SignedText } from '../../chain/asset-listings.ts';
import { type ListingWords, listingWords } from '../../runtime/acts/allow-sale.ts';
import { type LiveAgent, readLive, requireAgent } from '../../runtime/acts/live-agent.ts';
import { bidInAuction, buyAtAsk, readNameBid } from '../../runtime/acts/names/bid-on-name.ts';
import { listName, readNameListing } from '../../runtime/acts/names/list-name.ts';
import { AUCTION_SECONDS, readAuction, startAuction } from '../../runtime/acts/names/start-auction.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import type { Match } from '../../store/matches.ts';
import type { App, Request } from '../app.ts';
import { AuctionFormat, NameIn } from '../name-shapes.ts';
import type { RequireOwner } from '../plugins/owner-signature.ts';
import { EvmAddress, Handle, OWNER_PROBLEMS, ownerSigned, problems, Time, Usd, UsdIn } from '../schemas.ts';

const nameParams = Type.Object({ name: NameIn });

const MatchMade = Type.Object({ matchId: Type.String(), dealId: Type.String(), clearingPriceUsd: Usd });

const writeProblems = problems(
  ...OWNER_PROBLEMS,
  'agent-not-active',
  'not-listed',
  'double-pledge',
  'conflict',
  'mandate-exceeded',
);

/** What an agent's owner does on the name market: list, start an auction, bid, buy. */
export function domainTradeRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  /** 404, then the live owner's signature; what is judged comes after. */
  async function authorised(
    request: Request,
    handle: string,
    words: (live: LiveAgent) => Promise<ListingWords> | ListingWords,
  ): Promise<LiveAgent> {
    const live = await readLive(services, await requireAgent(services, handle));
    const said = await words(live);
    await requireOwner(request, {
      wallet: lowerAddress(live.chain.owner) as Address,
      ...said,
      chainId: HOME_CHAIN,
    });
    return live;
  }

  app.post(
    '/domains/listings',
    {
      schema: {
        operationId: 'domains-list',
        summary: "List a name at an ask, by its provider's token or its certificate",
        security: ownerSigned,
        tags: ['names'],
        body: Type.Object(
          {
            handle: Handle,
            name: NameIn,
            askUsd: UsdIn,
            gate: Type.Optional(
              Type.Enum(['deposit', 'owner-signed'], { description: '`deposit` when left out' }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            listingRef: Type.String(),
            name: Type.String(),
            askUsd: Usd,
            token: Type.Object(
              { contract: EvmAddress, tokenId: Type.String() },
              { description: 'what stands for the name on chain, and settles' },
            ),
            certificate: Type.Optional(
              Type.Object(
                {
                  limit: Type.String({ description: 'what the certificate does not prove' }),
                  url: Type.String(),
                },
                { description: 'of a name without a token of its provider' },
              ),
            ),
          }),
          ...writeProblems,
        },
      },
    },
    async (request, reply) => {
      const terms = readNameListing(services, request.body);
      const live = await authorised(request, request.body.handle, (agent) =>
        listingWords(services, agent, terms.asset),
      );
      const words = request.signedText as SignedText;
      const { listing, certificate } = await listName(services, live, { ...terms, words }, request.lastCall);
      const { contract, tokenId } = listing.asset as TokenAsset;
      return reply.code(201).send({
        listingRef: listing.listing_ref,
        name: terms.name.name,
        askUsd: toUsd(listing.ask),
        token: { contract, tokenId },
        ...(certificate === null
          ? {}
          : {
              certificate: {
                limit: CERTIFICATE_LIMIT,
                url: `${services.config.baseUrl}/certificates/${certificate.tokenId}`,
              },
            }),
      });
    },
  );

  app.post(
    '/domains/:name/auction',
    {
      schema: {
        operationId: 'domains-auction',
        summary: "Start a listed name's auction",
        security: ownerSigned,
        tags: ['names'],
        params: nameParams,
        body: Type.Object(
          {
            handle: Handle,
            format: AuctionFormat,
            reserveUsd: UsdIn,
            startUsd: Type.Optional(UsdIn),
            durationSeconds: Type.Integer({ minimum: AUCTION_SECONDS.least, maximum: AUCTION_SECONDS.most }),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            auctionId: Type.String(),
            name: Type.String(),
            format: AuctionFormat,
            openingBidUsd: Usd,
            reserveUsd: Usd,
            startsAt: Time,
            endsAt: Time,
          }),
          ...writeProblems,
        },
      },
    },
    async (request, reply) => {
      const { handle, ...body } = request.body;
      const terms = readAuction(request.params.name, body);
      const live = await authorised(request, handle, () => ({
        statement: `Start an auction of ${plainly(terms.name.name)} for agent ${handle}`,
        resources: [`urn:serial:name:${encodeURIComponent(terms.name.name)}`],
      }));
      const row = await startAuction(services, live, terms, request.lastCall);
      return reply.code(201).send({
        auctionId: row.auction_id,
        name: terms.name.name,
        format: row.format,
        openingBidUsd: toUsd(row.start_price ?? row.reserve),
        reserveUsd: toUsd(row.reserve),
        startsAt: row.starts_at.toISOString(),
        endsAt: row.ends_at.toISOString(),
      });
    },
  );

  app.post(
    '/domains/:name/bids',
    {
      schema: {
        operationId: 'domains-bid',
        summary: 'Bid in an auction: at most so much; of a falling price, the first who covers it wins',
        security: ownerSigned,
        tags: ['names'],
        params: nameParams,
        body: Type.Object({ handle: Handle, bidUsd: UsdIn }, { additionalProperties: false }),
        response: {
          201: Type.Object({
            bidId: Type.String(),
            status: Type.Enum(['leading', 'outbid', 'won']),
            priceToBeatUsd: Usd,
            endsAt: Time,
            match: Type.Optional(MatchMade),
          }),
          ...writeProblems,
        },
      },
    },
    async (request, reply) => {
      const { handle, bidUsd } = request.body;
      const terms = readNameBid(request.params.name, bidUsd, 'bidUsd');
      const live = await authorised(request, handle, () => bidWords('Bid on', terms.name.name, handle));
      const placed = await bidInAuction(services, live, terms, request.lastCall);
      return reply.code(201).send({
        bidId: placed.orderId,
        status: placed.status,
        priceToBeatUsd: toUsd(placed.figure),
        endsAt: placed.auction.ends_at.toISOString(),
        ...(placed.match === null ? {} : { match: made(placed.match) }),
      });
    },
  );

  app.post(
    '/domains/:name/buy',
    {
      schema: {
        operationId: 'domains-buy',
        summary: 'Buy a listed name at its ask',
        security: ownerSigned,
        tags: ['names'],
        params: nameParams,
        body: Type.Object(
          { handle: Handle, priceUsd: UsdIn },
          { additionalProperties: false, description: '`priceUsd`: the ask, as it was seen' },
        ),
        response: {
          201: Type.Object({ orderId: Type.String(), status: Type.Literal('matched'), match: MatchMade }),
          ...writeProblems,
        },
      },
    },
    async (request, reply) => {
      const { handle, priceUsd } = request.body;
      const terms = readNameBid(request.params.name, priceUsd, 'priceUsd');
      const live = await authorised(request, handle, () => bidWords('Buy', terms.name.name, handle));
      const bought = await buyAtAsk(services, live, terms, request.lastCall);
      return reply
        .code(201)
        .send({ orderId: bought.orderId, status: 'matched' as const, match: made(bought) });
    },
  );
}

function bidWords(act: 'Bid on' | 'Buy', name: string, handle: string): ListingWords {
  return {
    statement: `${act} ${plainly(name)} for agent ${handle}`,
    resources: [`urn:serial:name:${encodeURIComponent(name)}`],
  };
}

function made({ matchId, dealId, price }: Match) {
  return { matchId, dealId, clearingPriceUsd: toUsd(price) };
}
