import { randomUUID } from 'node:crypto';
import { lowerAddress } from '../../agents/ids.ts';
import { findAgent } from '../../store/agent/agents.ts';
import type { Database } from '../../store/database.ts';
import {
  handlesWithNotifications,
  insertDelivery,
  type NotificationRow,
  takeNotifications,
  waitingNotifications,
} from '../../store/webhooks/webhook-deliveries.ts';
import { subscribersOf } from '../../store/webhooks/webhook-subscriptions.ts';
import { beneficialOwner, readOwned } from '../agent/public.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import type { Quarantine } from '../durable/isolation/quarantine.ts';
import { atRest, type RecurringJob } from '../durable/jobs/recurring-job.ts';
import type { Services } from '../services.ts';
import { messageOf } from './messages.ts';

/** Whom to notify, in lower case. */
interface NotificationReader {
  readonly wallet: string;
  /** The wallet's beneficial owner. */
  readonly beneficialOwner: string;
}

export interface SpreadDeps {
  readonly db: Database;
  /** Reads who owns an agent on chain now; null when there is no such agent. Throws when the chain does not answer. */
  readonly ownerOf: (handle: string) => Promise<NotificationReader | null>;
  /** Asks the chain for something that no agent can obstruct, to tell a silent chain from a broken agent. */
  readonly alive?: () => Promise<unknown>;
  readonly quarantine: Quarantine;
  readonly now: () => Date;
  /** Called when there may be deliveries to be sent. */
  readonly wake?: () => void;
  readonly everyMs?: number;
}

const EVERY_MS = 500;
const NOTIFICATIONS_AT_ONCE = 100;
const HANDLES = 100;
/** The quarantine for agents whose owner cannot be read, so that their notifications cannot be sent. */
const NOTIFICATIONS = 'news';

/** Makes deliveries out of notifications. */
export function spreadNotificationsJob(deps: SpreadDeps): RecurringJob {
  const everyMs = deps.everyMs ?? EVERY_MS;
  return {
    kind: 'spread-notifications',
    lane: 'webhooks',
    items: ['all'],
    everyMs,
    waits: ({ notifications }) => (notifications ? ['all'] : []),
    async run() {
      return (await spreadNotifications(deps)) ? undefined : atRest({ everyMs });
    },
  };
}

/**
 * Makes a delivery of each notification for each subscription of the agent's present owner.
 * @returns whether there were any
 */
async function spreadNotifications(deps: SpreadDeps): Promise<boolean> {
  const { db, quarantine } = deps;
  const { done, open } = await eachIsolated(
    quarantine,
    NOTIFICATIONS,
    (await handlesWithNotifications(db, { limit: HANDLES, quarantine: NOTIFICATIONS })).map((id) => ({ id })),
    async ({ id: handle }) => {
      // Notifications of one agent go out in order; those of other agents do not wait for them.
      for (const notification of await waitingNotifications(db, handle, NOTIFICATIONS_AT_ONCE))
        await spread(deps, notification);
    },
    deps.alive === undefined ? {} : { alive: deps.alive },
  );
  if (done.length > 0) deps.wake?.();
  return done.length + open > 0;
}

async function spread({ db, ownerOf, now }: SpreadDeps, notification: NotificationRow): Promise<void> {
  const owner = await ownerOf(notification.handle);
  // A notification of a deal goes to the owner whose order matched, even when the agent has another owner now.
  const whose = notification.owner;
  const reader =
    whose === null || owner?.beneficialOwner === whose ? owner : { wallet: whose, beneficialOwner: whose };
  const body = JSON.stringify(messageOf(notification));
  await db.transaction().execute(async (trx) => {
    if (!(await takeNotifications(trx, notification.seq)) || reader === null) return;
    for (const { id } of await subscribersOf(trx, reader, notification.kind)) {
      const messageId = `msg_${randomUUID().replaceAll('-', '')}`;
      await insertDelivery(trx, {
        id: messageId,
        subscriptionId: id,
        kind: notification.kind,
        body,
        now: now(),
      });
    }
  });
}

/** Reads from the chain who owns an agent now. */
export function liveOwner(services: Services): SpreadDeps['ownerOf'] {
  return async (handle) => {
    const agent = await findAgent(services.db, handle);
    if (agent === null) return null;
    const owned = await readOwned(services, agent);
    const standing = await beneficialOwner(services, owned);
    return { wallet: lowerAddress(owned.chain.owner), beneficialOwner: standing };
  };
}
