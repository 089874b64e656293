import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { lowerAddress } from '../../agents/ids.ts';
import { toUsd } from '../../agents/money.ts';
import { readable } from '../../agents/readable.ts';
import { findAgent } from '../../store/agent/agents.ts';
import type { Database } from '../../store/database.ts';
import {
  type DueDelivery,
  freeDeliveries,
  handlesWithNotifications,
  insertDelivery,
  markDelivered,
  markRefused,
  type NotificationRow,
  takeDueDeliveries,
  takeNotifications,
  waitingNotifications,
} from '../../store/webhooks/webhook-deliveries.ts';
import { subscribersOf } from '../../store/webhooks/webhook-subscriptions.ts';
import { beneficialOwner, readOwned } from '../agent/public.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import type { Quarantine } from '../durable/isolation/quarantine.ts';
import { every } from '../durable/workers/every.ts';
import type { PeriodicTask } from '../durable/workers/leader.ts';
import type { Services } from '../services.ts';
import type { Meter } from '../telemetry/metrics.ts';
import type { Destinations } from './destination.ts';
import { postMessage } from './post.ts';
import type { SecretBox } from './secret-box.ts';
import { signedHeaders } from './signature.ts';

/** Whom to notify, in lower case. */
interface NotificationReader {
  readonly wallet: string;
  /** The wallet's beneficial owner. */
  readonly beneficialOwner: string;
}

export interface DispatcherDeps {
  readonly db: Database;
  /** Reads who owns an agent on chain now; null when there is no such agent. Throws when the chain does not answer. */
  readonly ownerOf: (handle: string) => Promise<NotificationReader | null>;
  /** Asks the chain for something that no agent can obstruct, to tell a silent chain from a broken agent. */
  readonly alive?: () => Promise<unknown>;
  readonly quarantine: Quarantine;
  readonly secretBox: SecretBox;
  readonly allowed: Destinations;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds to wait after each failed attempt. After the last wait and attempt, the delivery is given up. */
  readonly retriesMs: readonly number[];
  readonly timeoutMs?: number;
  readonly pollMs?: number;
  readonly meter?: Pick<Meter, 'webhook'>;
  /** Tests end the process at a named point. */
  readonly crash?: (point: string) => void;
}

const AT_ONCE = 32;
const NOTIFICATIONS_AT_ONCE = 100;
const HANDLES = 100;
/** The quarantine for agents whose owner cannot be read, so that their notifications cannot be sent. */
const NOTIFICATIONS = 'news';
/** After deliveries to a subscription have all failed for this long, nothing more is sent to it. */
const PATIENCE_MS = 5 * 86_400_000;
const GONE = 410;

/** Makes deliveries out of notifications, and retries each until it is accepted or given up. */
export function runWebhookDispatcher(deps: DispatcherDeps): PeriodicTask {
  const { db, now, log, pollMs = 500, timeoutMs = 10_000 } = deps;
  const inHand = new Map<string, { readonly subscription: string; readonly ended: Promise<void> }>();

  async function deliver(): Promise<void> {
    const due = await takeDueDeliveries(db, {
      now: now(),
      leaseUntil: new Date(now().getTime() + 2 * timeoutMs),
      limit: AT_ONCE - inHand.size,
      busy: [...inHand.values()].map(({ subscription }) => subscription),
    });
    for (const one of due) {
      const ended = attempt(deps, one, timeoutMs)
        .catch((error: unknown) => log.warn({ error: String(error) }, 'what came of a webhook was not kept'))
        .finally(() => inHand.delete(one.id));
      inHand.set(one.id, { subscription: one.subscriptionId, ended });
    }
  }

  let begun = false;
  const round = every(
    pollMs,
    async () => {
      // The previous leader has ended, so deliveries that it had in hand are free.
      if (!begun) await freeDeliveries(db);
      begun = true;
      // When notifications cannot be spread because a chain does not answer, existing deliveries still go out.
      const spread = await Promise.allSettled([spreadNotifications(deps)]);
      await deliver();
      for (const one of spread) if (one.status === 'rejected') throw one.reason;
    },
    log,
  );
  return {
    async stop() {
      await round.stop();
      await Promise.all([...inHand.values()].map(({ ended }) => ended));
    },
  };
}

/** Makes a delivery of each notification for each subscription of the agent's present owner. */
async function spreadNotifications(deps: DispatcherDeps): Promise<void> {
  const { db, quarantine } = deps;
  await eachIsolated(
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
}

async function spread({ db, ownerOf, now }: DispatcherDeps, notification: NotificationRow): Promise<void> {
  const owner = await ownerOf(notification.handle);
  // A notification of a deal goes to the owner whose order matched, even when the agent has another owner now.
  const whose = notification.owner;
  const reader =
    whose === null || owner?.beneficialOwner === whose ? owner : { wallet: whose, beneficialOwner: whose };
  const body = JSON.stringify({
    type: notification.kind,
    timestamp: notification.at.toISOString(),
    data: { handle: notification.handle, ...shown(notification.body) },
  });
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

/** The notification in the form in which the owner's own reads show it. */
function shown({ price, fee, deadline, ...rest }: Readonly<Record<string, unknown>>) {
  if (price === undefined) return rest;
  return {
    ...rest,
    priceUsd: toUsd(BigInt(price as string)),
    feeUsd: toUsd(BigInt(fee as string)),
    deadline: deadline === null ? null : new Date(deadline as string).toISOString(),
  };
}

async function attempt(deps: DispatcherDeps, due: DueDelivery, timeoutMs: number): Promise<void> {
  const { db, now, retriesMs } = deps;
  const sent = { id: due.id, body: due.body, at: now() };
  let answered: number | null = null;
  let error: string | null = null;
  let retryAfter = 0;
  const began = performance.now();
  try {
    const headers = signedHeaders(deps.secretBox.open(due.secret), sent);
    const answer = await postMessage(
      new URL(due.url),
      { headers, body: due.body },
      { allowed: deps.allowed, timeoutMs },
    );
    answered = answer.status;
    retryAfter = (answer.retryAfter ?? 0) * 1000;
    if (answered < 200 || answered > 299) error = `answered ${answered}`;
  } catch (thrown) {
    error = readable(String((thrown as Error).message), 300);
  }
  const how = error === null ? 'delivered' : answered === null ? 'failed' : 'refused';
  deps.meter?.webhook(how, (performance.now() - began) / 1000);
  deps.crash?.('after-webhook-before-commit');
  const outcome = { id: due.id, subscriptionId: due.subscriptionId, answered, error, now: now() };
  await db.transaction().execute(async (trx) => {
    if (error === null) return await markDelivered(trx, outcome);
    const pause = retriesMs[due.attempts - 1];
    // The wait varies a little, so that deliveries that failed together are not retried together.
    const wait =
      pause === undefined
        ? null
        : Math.max(pause * (1 + Math.random() / 10), Math.min(retryAfter, 86_400_000));
    await markRefused(trx, outcome, {
      again: wait === null || answered === GONE ? null : new Date(outcome.now.getTime() + wait),
      disable: answered === GONE ? 'it answered 410: gone' : null,
      patienceMs: PATIENCE_MS,
    });
  });
}

/** Reads from the chain who owns an agent now. */
export function liveOwner(services: Services): DispatcherDeps['ownerOf'] {
  return async (handle) => {
    const agent = await findAgent(services.db, handle);
    if (agent === null) return null;
    const owned = await readOwned(services, agent);
    const standing = await beneficialOwner(services, owned);
    return { wallet: lowerAddress(owned.chain.owner), beneficialOwner: standing };
  };
}
