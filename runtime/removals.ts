import { forgetTransfers } from '../store/chain-sync/transfers.ts';
import { forgetUnpaid } from '../store/checkout/forget-unpaid.ts';
import { deleteSignInsExpiredBefore } from '../store/checkout/memberships.ts';
import { deleteModelAsksBefore } from '../store/determinations/model-asks.ts';
import { forgetSilentWorkers } from '../store/durable/workers.ts';
import { deleteKeysOlderThan, KEY_KEPT_MS } from '../store/http/idempotency.ts';
import { deleteSignaturesUsedBefore } from '../store/http/used-signatures.ts';
import { forgetDrainedBudgets } from '../store/payments/gas-budgets.ts';
import { forgetRelayBudgets } from '../store/payments/relay-budgets.ts';
import { makeEventParts } from '../store/records/event-parts.ts';
import { forgetEvents } from '../store/records/public-events.ts';
import { forgetDeliveries } from '../store/webhooks/webhook-deliveries.ts';
import type { RecurringJob } from './durable/jobs/recurring-job.ts';
import type { Services } from './services.ts';

const HOUR_MS = 3_600_000;
/** How long a message that was taken, or given up, can be sent again. */
const DELIVERIES_MS = 30 * 24 * HOUR_MS;
/** How long a checkout is kept that nobody paid: money by bank transfer arrives days after its page expired. */
const UNPAID_MS = 30 * 24 * HOUR_MS;
/** How long a listener may stay away and still go on from its last event: as `GET /events` says. */
const EVENTS_MS = 7 * 24 * HOUR_MS;
/** A worker silent for so long is not shown any more. */
const FORGET_WORKER_S = 3_600;

/** Removes what was asked for once and is of no use any more: a job for each kind, every hour. */
export function removalsJob({ db, now, config }: Pick<Services, 'db' | 'now' | 'config'>): RecurringJob {
  const ago = (ms: number): Date => new Date(now().getTime() - ms);
  const removals: Readonly<Record<string, () => Promise<unknown>>> = {
    'gas-budgets': () => forgetDrainedBudgets(db, config.gas.windowSeconds),
    'relay-budgets': () => forgetRelayBudgets(db, ago(24 * HOUR_MS)),
    signatures: () => deleteSignaturesUsedBefore(db, ago(HOUR_MS)),
    'model-asks': () => deleteModelAsksBefore(db, now()),
    'sign-ins': () => deleteSignInsExpiredBefore(db, ago(HOUR_MS)),
    'idempotency-keys': () => deleteKeysOlderThan(db, ago(KEY_KEPT_MS)),
    webhooks: () => forgetDeliveries(db, ago(DELIVERIES_MS)),
    checkouts: () => forgetUnpaid(db, ago(UNPAID_MS)),
    events: async () => {
      await makeEventParts(db);
      await forgetEvents(db, ago(EVENTS_MS));
    },
    workers: () => forgetSilentWorkers(db, FORGET_WORKER_S),
    ...(config.transferDays === 0
      ? {}
      : { transfers: () => forgetTransfers(db, ago(config.transferDays * 24 * HOUR_MS)) }),
  };
  return {
    kind: 'remove',
    lane: 'upkeep',
    items: Object.keys(removals),
    everyMs: HOUR_MS,
    async run(item) {
      await removals[item]?.();
      return undefined;
    },
  };
}
