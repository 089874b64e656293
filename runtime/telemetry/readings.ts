import { backlog } from '../../store/durable/backlog.ts';
import { countQuarantine } from '../../store/durable/quarantine.ts';
import { listWorkers } from '../../store/durable/workers.ts';
import { deliveryBacklog } from '../../store/webhooks/webhook-deliveries.ts';
import type { OpenNotifier } from '../durable/queue/bullmq.ts';
import type { GasGuard } from '../payments/gas-guard.ts';
import { relayedGas } from '../payments/relay-guard.ts';
import { registerStatus } from '../registers/status.ts';
import type { Services } from '../services.ts';
import type { Readings } from './metrics.ts';
import { readerHeads } from './reader-heads.ts';

/** What the metrics of a process read when somebody looks. */
export function readingsOf({
  services,
  notifier,
  gas,
}: {
  readonly services: Services;
  readonly notifier: OpenNotifier;
  readonly gas: GasGuard;
}): Readings {
  const { db, chains, evidence, now } = services;
  return {
    queue: () => notifier.waitingByQueue(),
    backlog: () => backlog(db, now()),
    webhooks: () => deliveryBacklog(db, now()),
    quarantine: () => countQuarantine(db),
    workers: async () => (await listWorkers(db)).map(({ silent, in_hand }) => ({ silent, inHand: in_hand })),
    gas: () => gas.state(),
    relays: () => relayedGas({ ...services, settings: services.config.relay }),
    registers: () => registerStatus(db, services.config.registers.sources, now()),
    heads: async () => {
      // A chain that mines on demand would mine for each question.
      const grown = [...evidence.readers].filter(([, { viem }]) => viem.maxHeadAgeSeconds !== null);
      const read = await Promise.all(
        grown.map(async ([id, readers]) =>
          (await readerHeads(readers, now)).map((head) => ({ chain: String(id), ...head })),
        ),
      );
      return read.flat();
    },
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
