import { BY_ITSELF } from '../../agents/agent/order-id.ts';
import { moveCursor, readCursor } from '../../store/certificates/certificates.ts';
import { concernedBy, newestOrder } from '../../store/market/market-changes.ts';
import { deliver } from '../durable/actors/mailbox.ts';
import { eachIsolated, type Item } from '../durable/isolation/each-isolated.ts';
import type { Services } from '../services.ts';

const CURSOR = 'market';

/**
 * Tells agents that the market has moved where they have an order or a listing, so that they evaluate it at once
 * instead of waiting for their timer. Being told twice causes one evaluation, and the timer covers what is missed. An
 * agent that cannot be told does not prevent the others from being told.
 * @returns how many were told
 */
export async function tellMarket(services: Services): Promise<number> {
  const { db } = services;
  const newest = await newestOrder(db);
  const after = await readCursor(db, CURSOR);
  if (after === null || after > newest) {
    await moveCursor(db, CURSOR, newest);
    return 0;
  }
  const moved = after !== newest;
  const { upTo, handles } = moved
    ? await concernedBy(db, { after, newest, byItself: BY_ITSELF })
    : { upTo: after, handles: [] };
  const all = handles.map((id) => ({ id, context: { upTo: upTo.toString() } }));
  // Tells all in one transaction. Only if that fails, it tells each in its own, to find out which one causes the
  // failure.
  const createBatcher = await tell(services, all).then(
    () => true,
    () => false,
  );
  const { done } = await eachIsolated(services.quarantine, 'market-news', createBatcher ? [] : all, (item) =>
    tell(services, [item]),
  );
  if (moved) await moveCursor(db, CURSOR, upTo);
  return createBatcher ? handles.length : done.length;
}

/** @throws any error of the database; then nobody was told */
async function tell(services: Services, agents: readonly Item<{ upTo: string }>[]): Promise<void> {
  if (agents.length === 0) return;
  const now = services.now();
  await services.db.transaction().execute(async (trx) => {
    for (const { id, context } of agents)
      await deliver(trx, {
        actorId: `agent:${id}`,
        eventId: `market:${context?.upTo}`,
        event: { type: 'MARKET' },
        now,
      });
  });
  for (const { id } of agents) services.notifier.actor(`agent:${id}`);
}
