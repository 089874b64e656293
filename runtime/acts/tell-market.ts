import { BY_ITSELF } from '../../agents/trading/order-id.ts';
import { moveCursor, readCursor } from '../../store/certificates.ts';
import { concernedBy, newestOrder } from '../../store/market-news.ts';
import { deliver } from '../actors/mailbox.ts';
import type { Services } from '../services.ts';

const CURSOR = 'market';

/**
 * Tells agents that the market has moved where they have something: they look at once instead of in their next round.
 * What is told twice is looked at once, and what is missed is seen in that round.
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
  if (after === newest) return 0;
  const { upTo, handles } = await concernedBy(db, { after, newest, byItself: BY_ITSELF });
  const now = services.now();
  await db.transaction().execute(async (trx) => {
    for (const handle of handles)
      await deliver(trx, {
        actorId: `agent:${handle}`,
        eventId: `market:${upTo}`,
        event: { type: 'MARKET' },
        now,
      });
  });
  await moveCursor(db, CURSOR, upTo);
  for (const handle of handles) services.bell.actor(`agent:${handle}`);
  return handles.length;
}
