import { hoursOver, lotsThatOrdersLeft, publishCloseCallsOf } from '../../../store/market/close-calls.ts';
import { expireLot, overdueLots } from '../../../store/market/withdrawals.ts';
import { eachIsolated } from '../../durable/isolation/each-isolated.ts';
import type { Services } from '../../services.ts';

type Closing = Pick<Services, 'db' | 'quarantine' | 'now' | 'newId'>;

/** Publishes the close calls of the hours that are over. Running it again publishes nothing twice. @returns how many */
export async function publishCloseCalls({ db, quarantine, now, newId }: Closing): Promise<number> {
  const hours = hoursOver(now());
  const lots = new Map((await lotsThatOrdersLeft(db, hours)).map((lot) => [lot.asset_key, lot]));
  const { done } = await eachIsolated(
    quarantine,
    'close-calls',
    [...lots.keys()].map((id) => ({ id })),
    ({ id }) => publishCloseCallsOf(db, lots.get(id)!, { ...hours, newId: () => newId('cc') }),
    { relisted: true, atOnce: 2 },
  );
  return done.reduce((sum, n) => sum + n, 0);
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
