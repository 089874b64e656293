import type { Trx } from '../../store/database.ts';
import { forgetNews, untoldNews } from '../../store/market/market-news.ts';
import { deliverAll } from '../durable/actors/mailbox.ts';
import { eachIsolated, type Item } from '../durable/isolation/each-isolated.ts';
import type { Services } from '../services.ts';
import { concernedBy } from './concerned.ts';

/** How much news is told in one round. */
const MOST = 500;

interface Told {
  /** The number of the newest of the news. */
  readonly upTo: string;
  /** The lots that concern the agent; null: all. */
  readonly lots: readonly string[] | null;
}

/**
 * Tells agents what concerns them in the market, so that they evaluate it at once: `concernedBy` says whom. News is
 * forgotten in the transaction that tells it, so that a process which ends between them loses nothing. An agent that
 * cannot be told does not prevent the others from being told. Where agents do nothing by themselves, news is forgotten.
 * @returns how many were told
 */
export async function tellMarket(services: Services): Promise<number> {
  const { db, quarantine } = services;
  const told = await db
    .transaction()
    .execute((trx) => tellAll(services, trx))
    .catch(() => null);
  if (told !== null) {
    for (const id of told) services.notifier.actor(`agent:${id}`);
    // Whoever could not be told before is tried again.
    const again = await eachIsolated(quarantine, 'market-news', [], (item: Item<Told>) =>
      tell(services, item),
    );
    return told.length + again.done.length;
  }
  // Tells each in a transaction of its own, to find out which one causes the failure.
  const news = await untoldNews(db, MOST);
  const upTo = String(news.at(-1)?.seq);
  const items = [...(await concernedBy(db, news))].map(([id, lots]) => ({ id, context: { upTo, lots } }));
  const { done } = await eachIsolated(quarantine, 'market-news', items, (item) => tell(services, item));
  await forgetNews(db, news);
  return done.length;
}

/** @returns whom it told */
async function tellAll(services: Services, trx: Trx): Promise<readonly string[]> {
  const news = await untoldNews(trx, MOST);
  const upTo = String(news.at(-1)?.seq);
  const acts = services.config.watchSeconds > 0;
  const concerned = acts ? [...(await concernedBy(trx, news))] : [];
  await deliverAll(
    trx,
    concerned.map(([id, lots]) => message(services, { id, context: { upTo, lots } })),
    services.now(),
  );
  await forgetNews(trx, news);
  return concerned.map(([id]) => id);
}

/** @throws any error of the database; then it was not told */
async function tell(services: Services, item: Item<Told>): Promise<void> {
  await services.db
    .transaction()
    .execute((trx) => deliverAll(trx, [message(services, item)], services.now()));
  services.notifier.actor(`agent:${item.id}`);
}

function message({ config }: Services, { id, context }: Item<Told>) {
  const { upTo, lots = null } = context ?? {};
  return {
    actorId: `agent:${id}`,
    eventId: `market:${upTo}`,
    event: { type: 'MARKET', lots, watchEveryMs: config.watchSeconds * 1000 },
  };
}
