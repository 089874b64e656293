import { Type } from 'typebox';
import { assetKey, parseAssetKey } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { controlOf } from '../../agents/market/control.ts';
import { parseUsd, toUsd } from '../../agents/money.ts';
import type { Database } from '../../store/database.ts';
import { type CatalogueEntry, listCatalogue } from '../../store/market/catalogue.ts';
import { type CloseCallEntry, listCloseCalls } from '../../store/market/close-calls.ts';
import { lotTitles } from '../../store/market/lot-names.ts';
import { type BookRow, listBook } from '../../store/market/lots.ts';
import { listMatches, type MatchEntry } from '../../store/market/matches.ts';
import type { App } from '../http/app.ts';
import {
  bookCursor,
  bookFrom,
  bookPageOf,
  catalogueCursor,
  catalogueFrom,
  cursor,
  PagesOf,
  pageOf,
  placeOf,
  requirePlace,
  rowsFrom,
} from '../http/cursors.ts';
import { sharedReads } from '../http/shared-reads.ts';
import { AssetKey, CategoryName, ChainName, pageQuery, problems } from '../schemas.ts';
import { CatalogueRow, CloseCallRow, MatchRow, OrderBookRow } from '../shapes.ts';
import { cataloguePage, closeCallsPage, matchesPage, ordersPage } from './catalogue-page.ts';

const lotQuery = Type.Object({
  category: Type.Optional(CategoryName),
  chain: Type.Optional(ChainName),
  lot: Type.Optional(AssetKey),
  ...pageQuery,
});

/** The filters of a list of lots, with the asset key normalised. @throws AppError bad-request */
export function lotFilters<T extends { lot?: string }>(filters: T): T {
  if (filters.lot === undefined) return filters;
  return { ...filters, lot: assetKey(parseAssetKey(filters.lot, 'lot')) };
}

/**
 * The free lists of the market: what is for sale, the order book, matches and close calls. People and programs get the
 * same rows.
 */
export function marketRoutes(app: App, { db }: { db: Database }): void {
  const answer = sharedReads();
  app.get(
    '/catalogue',
    {
      schema: {
        operationId: 'catalogue',
        summary: 'Priced inventory: featured first, then newest',
        tags: ['market'],
        querystring: Type.Object({
          category: Type.Optional(CategoryName),
          chain: Type.Optional(ChainName),
          maxUsd: Type.Optional(Type.String({ maxLength: 32, description: 'the largest ask, US dollars' })),
          negotiable: Type.Optional(Type.Boolean({ description: 'whether the seller left room' })),
          q: Type.Optional(
            Type.String({ maxLength: 200, description: 'words of the description, or how they begin' }),
          ),
          ...pageQuery,
          cursor,
        }),
        response: { 200: PagesOf(CatalogueRow), ...problems('bad-request') },
      },
    },
    async (request, reply) => {
      const { maxUsd, limit, offset, cursor: place, ...filters } = request.query;
      const max = maxUsd === undefined ? {} : { max: parseUsd(maxUsd, 'maxUsd') };
      const after = placeOf(place, offset);
      const from = after === null ? {} : { after: catalogueFrom(after) };
      const read = async () => {
        const rows = await listCatalogue(db, { ...filters, ...max, ...from, limit: limit + 1, offset });
        await requirePlace(db, rows, 'listings', from.after?.listingRef);
        return pageOf(rows.map(catalogueRow), { limit, offset }, catalogueCursor);
      };
      return answer(request, reply, read, (list) =>
        cataloguePage(list, { ...filters, maxUsd, cursor: place }),
      );
    },
  );

  app.get(
    '/orders',
    {
      schema: {
        operationId: 'orders',
        summary: 'The live book: one number a lot, the price to beat',
        tags: ['market'],
        querystring: Type.Object({ ...lotQuery.properties, cursor: bookCursor }),
        response: { 200: PagesOf(OrderBookRow), ...problems('bad-request') },
      },
    },
    async (request, reply) => {
      const { limit, offset, cursor: place, ...filters } = request.query;
      const at = placeOf(place, offset);
      const after = at === null ? null : bookFrom(at);
      const from = after === null ? {} : { after };
      const read = async () => {
        const rows = await listBook(db, { ...lotFilters(filters), ...from, limit: limit + 1, offset });
        return bookPageOf(rows.map(bookRow), { limit, offset }, after);
      };
      return answer(request, reply, read, async (list) =>
        ordersPage(list, { ...filters, cursor: place }, await titlesIn(db, list)),
      );
    },
  );

  app.get(
    '/matches',
    {
      schema: {
        operationId: 'matches',
        summary: 'Matches with their clearing prices, newest first',
        tags: ['market'],
        querystring: Type.Object({ ...lotQuery.properties, cursor }),
        response: { 200: PagesOf(MatchRow), ...problems('bad-request') },
      },
    },
    async (request, reply) => {
      const { limit, offset, cursor: place, ...filters } = request.query;
      const from = rowsFrom(request.query);
      const read = async () => {
        const rows = await listMatches(db, { ...lotFilters(filters), ...from });
        await requirePlace(db, rows, 'matches', from.after);
        return pageOf(rows.map(matchRow), { limit, offset }, (row) => row.matchId);
      };
      return answer(request, reply, read, async (list) =>
        matchesPage(list, { ...filters, cursor: place }, await titlesIn(db, list)),
      );
    },
  );

  app.get(
    '/close-calls',
    {
      schema: {
        operationId: 'close-calls',
        summary: 'Orders that lay within five percent and did not meet: the lot and the hour, no figure',
        tags: ['market'],
        querystring: Type.Object({ ...lotQuery.properties, cursor }),
        response: { 200: PagesOf(CloseCallRow), ...problems('bad-request') },
      },
    },
    async (request, reply) => {
      const { limit, offset, cursor: place, ...filters } = request.query;
      const from = rowsFrom(request.query);
      const read = async () => {
        const rows = await listCloseCalls(db, { ...lotFilters(filters), ...from });
        await requirePlace(db, rows, 'close_calls', from.after);
        return pageOf(rows.map(closeCallRow), { limit, offset }, (row) => row.closeCallId);
      };
      return answer(request, reply, read, async (list) =>
        closeCallsPage(list, { ...filters, cursor: place }, await titlesIn(db, list)),
      );
    },
  );
}

/** What people call the lots of a list. */
async function titlesIn(db: Database, { items }: { readonly items: readonly { readonly lot: string }[] }) {
  return await lotTitles(
    db,
    items.map(({ lot }) => lot),
  );
}

/** A listing as the wire shows it. */
export function catalogueRow(row: Omit<CatalogueEntry, 'handle'>): CatalogueRow {
  const { asset } = row;
  return {
    listingRef: row.listingRef,
    seller: row.seller,
    contract: asset.kind === 'token' ? asset.contract : null,
    tokenId: asset.kind === 'token' ? asset.tokenId : null,
    lot: row.lot,
    description: row.description,
    askUsd: toUsd(row.ask),
    negotiable: row.negotiable,
    category: row.category as Category,
    chain: row.chain,
    featured: row.featured,
    control: controlOf(row),
    listedAt: row.listedAt.toISOString(),
  };
}

/** A lot of the book as the wire shows it. */
export function bookRow(row: BookRow): OrderBookRow {
  return {
    lot: row.lot,
    category: row.category as Category,
    chain: row.chain,
    priceToBeatUsd: toUsd(row.priceToBeat),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A close call as the wire shows it. */
export function closeCallRow(row: CloseCallEntry): CloseCallRow {
  return { ...row, category: row.category as Category, hour: row.hour.toISOString() };
}

/** A match as the wire shows it: its clearing price, unless it failed, and nothing about its parties. */
export function matchRow(row: MatchEntry): MatchRow {
  return {
    matchId: row.matchId,
    lot: row.lot,
    category: row.category as Category,
    chain: row.chain,
    state: row.state,
    ...(row.state === 'stopped' ? {} : { clearingPriceUsd: toUsd(row.price) }),
    matchedAt: row.matchedAt.toISOString(),
    ...(row.settledAt === null ? {} : { settledAt: row.settledAt.toISOString() }),
    ...(row.tx === null ? {} : { tx: row.tx }),
  };
}
