import { CATEGORIES, type Category } from '../../../agents/categories.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import type { Lot } from '../../fixtures/story-stage.ts';
import { seedHistory } from '../growth/seed.ts';
import type { MeasuredService } from '../measured/service.ts';
import { depositAssets, mintTraders, type Trader } from '../measured/traders.ts';
import { copyAgent } from './copies.ts';

export interface Sizes {
  /** Active agents in all. */
  readonly agents: number;
  /** For sale before the first new listing. */
  readonly lots: number;
  /** Settled before, over the last 78 days. */
  readonly sales: number;
  /** Of each category: agents whom a new listing of it concerns. */
  readonly keen: number;
  /** New listings, one a second; at most ten of a category, which is as many orders as an agent keeps. */
  readonly listings: number;
}

export interface Market {
  readonly toList: readonly (Lot & { seller: Trader; category: Category })[];
  readonly orderer: Trader;
  /** Lots of the history, on which owners order. */
  readonly others: readonly Lot[];
}

/** Words of a mandate for each category. */
const GOODS: Readonly<Record<Category, string>> = {
  'tokenized-debt-and-finance': 'bonds',
  'liquidation-and-surplus': 'surplus stock',
  'travel-and-perishables': 'travel',
  'music-and-video-rights': 'music rights',
  'digital-products': 'digital products',
  'real-world-assets': 'real estate',
};
/** Sales were at 90 to 130 dollars: a keen agent bids 0.95 of their median, and another's cap is far below. */
const KEEN_CAP_USD = 150;
const OTHERS_CAP_USD = 30;
const MONEY_USD = 2_000;
const HISTORY_AGENTS = 200;

/**
 * A market with agents in it. Minted and funded on chain: the keen agents, six sellers, one who orders, and one of each
 * category that others are copies of. By SQL: the history, and the copies, which are active, with mandates of the same
 * categories and a lower price.
 */
export async function prepareMarket(service: MeasuredService, sizes: Sizes): Promise<Market> {
  const { folder, story, db, databaseUrl } = service;
  const contract = findRunning(folder.dataDir)!.chains['1002']!.assets.toLowerCase();
  const size = sizes.lots + sizes.sales;
  const every = Math.round(size / sizes.lots);
  await seedHistory(databaseUrl, { size, every, agents: HISTORY_AGENTS, tier: 'EXECUTOR', contract });
  await story.importLists();
  const mandate = (act: string, category: Category, usd: number) =>
    `${act} ${GOODS[category]}, max ${usd} USDC per deal, for 30 days.`;
  const keen = CATEGORIES.flatMap((category, c) =>
    Array.from({ length: sizes.keen }, (_, i) => ({
      handle: `keen-${c}-${i}`,
      mandate: mandate('Buy', category, KEEN_CAP_USD),
      usd: MONEY_USD,
    })),
  );
  const models = CATEGORIES.map((category, c) => ({
    handle: `model-${c}`,
    mandate: mandate('Buy', category, OTHERS_CAP_USD),
  }));
  const [orderer, ...sellers] = await mintTraders(service, [
    {
      handle: 'orders',
      mandate: mandate('Buy', 'digital-products', 1_000),
      tier: 'EXECUTOR',
      usd: MONEY_USD,
    },
    ...CATEGORIES.map((category, c) => ({
      handle: `sells-${c}`,
      mandate: mandate('Sell', category, 1_000),
      tier: 'EXECUTOR' as const,
    })),
  ]);
  await mintTraders(service, [...keen, ...models]);
  const copies = Math.max(0, Math.ceil((sizes.agents - keen.length) / CATEGORIES.length) - 1);
  for (const [c, { handle }] of models.entries())
    if (copies > 0) await copyAgent(db, handle, copies, c * copies);
  const deposited = await depositAssets(service, sellers, sizes.listings);
  const { rows: others } = await db.query<{ ref: string; token: string }>(
    `select listing_ref as ref, asset ->> 'tokenId' as token from listings
      where status = 'live' and category = 'digital-products' and handle like 'x-%' limit $1`,
    [sizes.listings],
  );
  await db.query('vacuum analyze');
  return {
    toList: deposited.map((lot, i) => ({ ...lot, category: CATEGORIES[i % CATEGORIES.length]! })),
    orderer: orderer!,
    others: others.map(({ ref, token }) => ({
      listingRef: ref,
      contract: contract as Lot['contract'],
      tokenId: token,
    })),
  };
}
