import { Type } from 'typebox';
import type { Asset } from '../../agents/assets.ts';
import { AppError } from '../../agents/errors.ts';
import type { Attributes } from '../../agents/market/pricing/model/attributes.ts';
import { toUsd } from '../../agents/money.ts';
import { requireAgent } from '../../runtime/agent/live-agent.ts';
import { custodyOf } from '../../runtime/market/custody/lot-custody.ts';
import { saidOfLot } from '../../runtime/market/orders/said-before-signing.ts';
import { pictureOf } from '../../runtime/market/pictures/token-picture.ts';
import type { Services } from '../../runtime/services.ts';
import { listCatalogue } from '../../store/market/catalogue.ts';
import { attributesOf } from '../../store/market/listings.ts';
import { lotOfListing } from '../../store/market/lot-names.ts';
import { listBook } from '../../store/market/lots.ts';
import { listMatches } from '../../store/market/matches.ts';
import { openDisputesShown } from '../certificates/open-dispute-document.ts';
import { explorerSite } from '../html/explorers.ts';
import type { App } from '../http/app.ts';
import { replyPageOrJson } from '../http/negotiate.ts';
import { Handle, ListingRef, problems } from '../schemas.ts';
import { lotDrawing, pictureHeaders } from './lot-drawing.ts';
import { type LotPast, lotPage } from './lot-page.ts';
import { LotDocument } from './lot-shapes.ts';
import { catalogueRow, matchRow } from './market.ts';

const Lot = Type.Object({ listingRef: ListingRef });

/** One lot that is for sale: its row of the catalogue, and what of it could not be judged as things stand. */
export function lotRoutes(app: App, services: Services): void {
  app.get(
    '/lots/:listingRef',
    {
      schema: {
        operationId: 'lot',
        summary: 'A lot for sale, and what could not be judged about it as things stand',
        tags: ['market'],
        params: Lot,
        querystring: Type.Object({
          handle: Type.Optional({
            ...Handle,
            description: "the agent that would deal in it: what its owner's choices then do is told",
          }),
        }),
        response: { 200: LotDocument, ...problems('bad-request', 'not-found') },
      },
    },
    async (request, reply) => {
      const { listingRef } = request.params;
      const { handle } = request.query;
      const [row] = await listCatalogue(services.db, { listingRef, limit: 1, offset: 0 });
      if (row === undefined) throw new AppError('not-found', await whyNoLot(services, listingRef));
      const agent = handle === undefined ? null : await requireAgent(services, handle);
      const said = await saidOfLot(
        services,
        { asset_key: row.lot, asset: row.asset, category: row.category, handle: row.handle },
        agent === null ? null : { agent, owner: agent.owner },
      );
      const { willNotBeJudged, yourSettingsThen, openDisputes } = said;
      const attributes = await attributesOf(services.db, row.lot);
      const lot = {
        ...catalogueRow(row),
        ...(attributes === null ? {} : { attributes: plainValues(attributes) }),
        willNotBeJudged: [...willNotBeJudged],
        yourSettingsThen,
        openDisputes: openDisputesShown(openDisputes),
      };
      return replyPageOrJson(request, reply, lot, async (l) =>
        lotPage(l, handle ?? null, await pastOf(services, l, row)),
      );
    },
  );

  app.get('/lots/:listingRef/picture', { schema: { hide: true, params: Lot } }, async (request, reply) => {
    const { listingRef } = request.params;
    const [row] = await listCatalogue(services.db, { listingRef, limit: 1, offset: 0 });
    if (row === undefined) throw new AppError('not-found', 'There is no such lot.');
    reply.headers(pictureHeaders);
    const own = row.asset.kind === 'token' ? await pictureOf(services, row.asset) : null;
    if (own !== null) return reply.type(own.type).send(own.bytes);
    return reply.type('image/svg+xml; charset=utf-8').send(lotDrawing(row.lot).text);
  });
}

/** A link to a lot outlives the lot: whoever follows it is told what it was. */
async function whyNoLot({ db }: Services, listingRef: string): Promise<string> {
  const was = await lotOfListing(db, listingRef);
  return was === null
    ? `There is no lot for sale under "${listingRef}".`
    : `"${was.description}" is not for sale any more.`;
}

/** What was listed has texts and numbers alone. */
function plainValues(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [],
    ),
  );
}

const SALES = 50;

/** What the page of a lot shows beside it, by the same lists that everybody may read. */
async function pastOf(
  services: Services,
  { lot, category }: LotDocument,
  { asset, handle: seller }: { readonly asset: Asset; readonly handle: string },
): Promise<LotPast> {
  const { db, config } = services;
  const [book, deals, sales, custody] = await Promise.all([
    listBook(db, { lot, limit: 1, offset: 0 }),
    listMatches(db, { lot, limit: 10, offset: 0 }),
    listMatches(db, { category, limit: SALES, offset: 0 }),
    asset.kind === 'token' ? custodyOf(services, asset) : null,
  ]);
  return {
    seller,
    baseUrl: config.baseUrl,
    explorer: asset.kind === 'token' ? explorerSite(services, asset.chainId) : null,
    priceToBeatUsd: book[0] === undefined ? null : toUsd(book[0].priceToBeat),
    deals: deals.map(matchRow),
    custody,
    sales: sales.filter((m) => m.state === 'settled').map(matchRow),
  };
}
