import { Type } from 'typebox';
import { CERTIFICATE_LIMIT, type TokenAsset } from '../../agents/certificates/certificates.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { nameMoney } from '../../agents/market/pricing/fees.ts';
import { toUsd } from '../../agents/money.ts';
import {
  nameAuctionWords,
  nameBidWords,
  nameListingWords,
  namePurchaseWords,
} from '../../agents/names/name-market-words.ts';
import { RESERVE_RULE } from '../../agents/names/name-policy.ts';
import type { SignedText } from '../../chain/clients/asset-listings.ts';
import { type LiveAgent, readLive, requireAgent } from '../../runtime/agent/live-agent.ts';
import { listingWords } from '../../runtime/market/listings/allow-sale.ts';
import { bidInAuction, buyAtAsk, readNameBid } from '../../runtime/names/bid-on-name.ts';
import { listName, readNameListing, withNameAsset } from '../../runtime/names/list-name.ts';
import { AUCTION_SECONDS, readAuction, startAuction } from '../../runtime/names/start-auction.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import type { Match } from '../../store/market/matches.ts';
import type { App, Request } from '../http/app.ts';
import type { OwnerDemand, RequireOwner } from '../http/auth/owner-signature.ts';
import { listingFee, listingFeeOf } from '../market/listing-fee.ts';
import { EvmAddress, Handle, OWNER_PROBLEMS, ownerSigned, PriceIn, problems, Time, Usd } from '../schemas.ts';
import { AuctionFormat, NameIn } from './name-shapes.ts';

const nameParams = Type.Object({ name: NameIn });

const MatchMade = Type.Object({ matchId: Type.String(), dealId: Type.String(), clearingPriceUsd: Usd });

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

type Words = Pick<OwnerDemand, 'statement' | 'says' | 'resources'>;

/** Routes for what an agent's owner does on the name market: list, start an auction, bid, buy. */
export function domainTradeRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  /** Answers 404 for an unknown agent, then requires its present owner's signature, before anything else is judged. */
  async function authorised(
    request: Request,
    handle: string,
    words: (live: LiveAgent) => Promise<Words> | Words,
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
            askUsd: PriceIn,
            gate: Type.Optional(
              Type.Enum(['deposit', 'owner-signed'], { description: '`deposit` when left out' }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            listingRef: Type.String(),
            ...listingFee,
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
          ...problems(...WRITE_PROBLEMS, 'relay-budget'),
        },
      },
    },
    async (request, reply) => {
      const asked = readNameListing(request.body);
      const { handle } = request.body;
      const live = await readLive(services, await requireAgent(services, handle));
      const terms = await withNameAsset(services, asked);
      const says = nameListingWords({ name: terms.name.name, handle, ask: terms.ask });
      const said = await listingWords(services, live, terms, says);
      await requireOwner(request, { wallet: lowerAddress(live.chain.owner), ...said, chainId: HOME_CHAIN });
      const words = request.signedText as SignedText;
      const { listing, certificate } = await listName(services, live, { ...terms, words }, request.lastCall);
      const { contract, tokenId } = listing.asset as TokenAsset;
      return reply.code(201).send({
        listingRef: listing.listing_ref,
        ...listingFeeOf(services.config.prices, listing),
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
            reserveUsd: Type.Union(PriceIn.anyOf, {
              description: `US dollars, at most two decimals, ${RESERVE_RULE}`,
            }),
            startUsd: Type.Optional(PriceIn),
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
      const { durationSeconds } = body;
      const live = await authorised(request, handle, () =>
        ofName(
          terms.name.name,
          nameAuctionWords({ ...terms, name: terms.name.name, handle, durationSeconds }),
        ),
      );
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
        body: Type.Object({ handle: Handle, bidUsd: PriceIn }, { additionalProperties: false }),
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
      const live = await authorised(request, handle, () => {
        const { name } = terms.name;
        return ofName(name, nameBidWords({ name, handle, most: terms.limit }));
      });
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
          { handle: Handle, priceUsd: PriceIn },
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
      const live = await authorised(request, handle, () => {
        const { name } = terms.name;
        const price = terms.limit;
        const fee = nameMoney(price).buyerPays - price;
        return ofName(name, namePurchaseWords({ name, handle, price, fee }));
      });
      const bought = await buyAtAsk(services, live, terms, request.lastCall);
      return reply
        .code(201)
        .send({ orderId: bought.orderId, status: 'matched' as const, match: made(bought) });
    },
  );
}

/** Adds the name to the message's resources, because the statement shows other scripts only as code points. */
function ofName(name: string, statement: string): Words {
  return { statement, resources: [`urn:serial:name:${encodeURIComponent(name)}`] };
}

function made({ matchId, dealId, price }: Match) {
  return { matchId, dealId, clearingPriceUsd: toUsd(price) };
}
