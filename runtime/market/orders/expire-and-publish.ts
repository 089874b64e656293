import { moveCursor, readCursor } from '../../../store/certificates/certificates.ts';
import { hoursOver, lotsThatOrdersLeft, publishCloseCallsOf } from '../../../store/market/close-calls.ts';
import { expireLot, overdueLots } from '../../../store/market/withdrawals.ts';
import { eachIsolated } from '../../durable/isolation/each-isolated.ts';
import type { Services } from '../../services.ts';

type Closing = Pick<Services, 'db' | 'quarantine' | 'now' | 'newId'>;

/** A look goes back so many hours at most, in case the service was down. */
const MOST_HOURS = 48;
/** Later it goes back to the hour before, for an order whose leaving was committed when that hour had been looked at. */
const AGAIN_HOURS = 1;
const HOUR_MS = 3_600_000;
/** Up to which hour they are published, counted since 1970. */
const CURSOR = 'close-calls';

/**
 * A periodic task that publishes the close calls of the hours that are over, once an hour. Running it again publishes
 * nothing twice. What could not be published is tried again with each run.
 * @returns from each run, how many
 */
export function closeCallsPublished({ db, quarantine, now, newId }: Closing): () => Promise<number> {
  let seen: Date | null = null;
  return async () => {
    const { until } = hoursOver(now());
    if (seen?.getTime() === until.getTime()) return 0;
    const cursor = await readCursor(db, CURSOR);
    const since = cursor === null ? null : new Date(Number(cursor) * HOUR_MS);
    // One in the future is of a clock that was put back.
    const back =
      since === null || since > until
        ? MOST_HOURS
        : (until.getTime() - since.getTime()) / HOUR_MS + AGAIN_HOURS;
    const hours = hoursOver(now(), Math.min(MOST_HOURS, back));
    const lots = new Map((await lotsThatOrdersLeft(db, hours)).map((lot) => [lot.asset_key, lot]));
    const { done, open } = await eachIsolated(
      quarantine,
      'close-calls',
      [...lots.keys()].map((id) => ({ id })),
      ({ id }) => publishCloseCallsOf(db, lots.get(id)!, { ...hours, newId: () => newId('cc') }),
      { relisted: true, atOnce: 2 },
    );
    if (open === 0) {
      await moveCursor(db, CURSOR, BigInt(until.getTime() / HOUR_MS));
      seen = until;
    }
    return done.reduce((sum, n) => sum + n, 0);
  };
}

/** Ends overdue orders, each lot in its own transaction. @returns how many ended */
export async function expireOrders({ db, quarantine, now }: Omit<Closing, 'newId'>): Promise<number> {
  const at = now();
  const { done } = await eachIsolated(
    quarantine,
    'overdue-orders',
    (await overdueLots(db, at)).map((id) => ({ id })),
    ({ id }) => expireLot(db, id, at),
    { relisted: true, atOnce: 2 },
  );
  return done.reduce((sum, n) => sum + n, 0);
}
