import { Type } from 'typebox';
import { controlOf } from '../../agents/market/control.ts';
import { toUsd } from '../../agents/money.ts';
import { readName } from '../../agents/names/name.ts';
import { namePolicy } from '../../agents/names/name-policy.ts';
import { namePrice } from '../../agents/names/name-price.ts';
import { AUCTION_SECONDS } from '../../runtime/names/start-auction.ts';
import type { Services } from '../../runtime/services.ts';
import { handlesOf } from '../../store/agent/agents.ts';
import { listNames, type NameForSale } from '../../store/names/name-listings.ts';
import type { App } from '../http/app.ts';
import { cursor, PagesOf, pageOf, requirePlace, rowsFrom } from '../http/cursors.ts';
import { sharedReads } from '../http/shared-reads.ts';
import { pageQuery, problems } from '../schemas.ts';
import { NameIn, NameListingRow, NamePolicyDocument, NamePriceDocument, SourceName } from './name-shapes.ts';
import { namesPage } from './names-page.ts';

/** Prices and rules of the name market, and the names for sale. */
export function domainRoutes(app: App, services: Pick<Services, 'db' | 'config' | 'now'>): void {
  const { db, config, now } = services;
  const answer = sharedReads();

  app.get(
    '/domains/price',
    {
      schema: {
        operationId: 'domains-price',
        summary: 'What a name costs at a provider',
        tags: ['names'],
        querystring: Type.Object({ name: NameIn, source: SourceName }),
        response: { 200: NamePriceDocument, ...problems('bad-request') },
      },
    },
    async (request) => {
      const { source } = request.query;
      const name = readName(request.query.name);
      const { price, rule } = namePrice(config.pricing, name, source, config.reservedTlds);
      return { name: name.name, tld: name.tld, source, priceUsd: toUsd(price), rule };
    },
  );

  app.get(
    '/domains/policy',
    {
      schema: {
        operationId: 'domains-policy',
        summary: 'The rules of the name market, as data',
        tags: ['names'],
        response: { 200: NamePolicyDocument, ...problems() },
      },
    },
    async () =>
      namePolicy(config.pricing, {
        reserved: config.reservedTlds,
        extensionSeconds: config.auctionExtensionSeconds,
        leastSeconds: AUCTION_SECONDS.least,
        mostSeconds: AUCTION_SECONDS.most,
      }),
  );

  // Both paths serve the same rows: one is for programs, the other is what people are linked to.
  for (const [url, operationId] of [
    ['/domains/listings', 'domains-listings'],
    ['/names', 'names'],
  ] as const) {
    app.get(
      url,
      {
        schema: {
          operationId,
          summary: 'Names for sale, newest first, and how their auctions stand',
          tags: ['names'],
          querystring: Type.Object({
            name: Type.Optional(NameIn),
            tld: Type.Optional(NameIn),
            format: Type.Optional(Type.Enum(['buy-now', 'dutch', 'ascending'])),
            ...pageQuery,
            cursor,
          }),
          response: { 200: PagesOf(NameListingRow), ...problems('bad-request') },
        },
      },
      async (request, reply) => {
        const { limit, offset, format, cursor: place, ...asked } = request.query;
        const from = rowsFrom(request.query);
        const filters = {
          ...(asked.name === undefined ? {} : { name: readName(asked.name).name }),
          ...(asked.tld === undefined ? {} : { tld: readName(asked.tld, 'tld').name }),
          ...(format === undefined ? {} : { format }),
        };
        const read = async () => {
          const rows = await listNames(db, { ...filters, ...from, now: now() });
          await requirePlace(db, rows, 'listings', from.after);
          return pageOf(rows.map(nameRow), { limit, offset }, (row) => row.listingRef);
        };
        return answer(request, reply, read, async (list) =>
          namesPage(
            list,
            { ...filters, cursor: place },
            await handlesOf(
              db,
              list.items.map(({ seller }) => seller),
            ),
          ),
        );
      },
    );
  }
}

/** A name for sale as the wire shows it. */
function nameRow({ auction, ...row }: NameForSale): NameListingRow {
  return {
    name: row.name,
    askUsd: toUsd(row.ask),
    format: auction?.format ?? 'buy-now',
    ...(auction === null
      ? {}
      : {
          openingBidUsd: toUsd(auction.opening),
          priceToBeatUsd: toUsd(auction.figure),
          reserveUsd: toUsd(auction.reserve),
          startsAt: auction.startsAt.toISOString(),
          endsAt: auction.endsAt.toISOString(),
        }),
    listingRef: row.listingRef,
    seller: row.seller,
    control: controlOf(row),
    listedAt: row.listedAt.toISOString(),
  };
}
