import { backlog } from '../../store/backlog.ts';
import { deliveryBacklog } from '../../store/webhook-deliveries.ts';
import { listWorkers } from '../../store/workers.ts';
import type { BackRoom } from '../back-room.ts';
import type { Readings } from './metrics.ts';

/** What the metrics of a process read when somebody looks. */
export function readingsOf({ services, bell }: Pick<BackRoom, 'services' | 'bell'>): Readings {
  const { db, chains, now } = services;
  return {
    queue: () => bell.waitingByQueue(),
    backlog: () => backlog(db, now()),
    webhooks: () => deliveryBacklog(db, now()),
    workers: async () => (await listWorkers(db)).map(({ silent, in_hand }) => ({ silent, inHand: in_hand })),
    signers: async () => {
      const read = await Promise.allSettled(
        [...chains].map(async ([id, chain]) =>
          (await chain.funds()).map(({ role, balance }) => ({
            chain: String(id),
            role,
            balance: Number(balance),
          })),
        ),
      );
      return read.flatMap((r) => (r.status === 'fulfilled' ? r.value : []));
    },
  };
}
