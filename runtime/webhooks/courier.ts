import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { lowerAddress } from '../../agents/ids.ts';
import { toUsd } from '../../agents/money.ts';
import { findAgent } from '../../store/agents.ts';
import type { Database } from '../../store/database.ts';
import {
  type DueDelivery,
  freeDeliveries,
  insertDelivery,
  markDelivered,
  markRefused,
  type NewsRow,
  takeDueDeliveries,
  takeNews,
  waitingNews,
} from '../../store/webhook-deliveries.ts';
import { subscribersOf } from '../../store/webhook-subscriptions.ts';
import { readLive } from '../acts/live-agent.ts';
import type { Services } from '../services.ts';
import type { Meter } from '../telemetry/metrics.ts';
import { every } from '../workers/every.ts';
import type { Round } from '../workers/keeper.ts';
import type { Destinations } from './destination.ts';
import { postMessage } from './post.ts';
import type { Seal } from './seal.ts';
import { signedHeaders } from './signature.ts';

export interface CourierDeps {
  readonly db: Database;
  /** Who owns an agent on chain now, lower case; null where there is no such agent. Throws where the chain is silent. */
  readonly ownerOf: (handle: string) => Promise<string | null>;
  readonly seal: Seal;
  readonly allowed: Destinations;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds after each attempt that was refused; after the last of them no more. */
  readonly retriesMs: readonly number[];
  readonly timeoutMs?: number;
  readonly pollMs?: number;
  readonly meter?: Pick<Meter, 'webhook'>;
  /** A named point at which a test may end the process. */
  readonly crash?: (point: string) => void;
}

const AT_ONCE = 32;
const NEWS = 100;
/** As long as all may fail before nothing more is sent to a subscription. */
const PATIENCE_MS = 5 * 86_400_000;
const GONE = 410;

/** Spreads what owners are to be told, and delivers it, again and again until it is taken or given up. */
export function keepCourier(deps: CourierDeps): Round {
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
      // Whoever did this before has ended.
      if (!begun) await freeDeliveries(db);
      begun = true;
      await spreadNews(deps);
      await deliver();
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

/** Makes a delivery of each piece of news for each subscription of whoever owns the agent now. */
async function spreadNews(deps: CourierDeps): Promise<void> {
  const { db, log } = deps;
  for (const news of await waitingNews(db, NEWS)) {
    try {
      await spread(deps, news);
    } catch (error) {
      // While the chain is silent nobody can say whose news it is: it waits, and with it whatever is newer.
      log.warn({ handle: news.handle, error: String(error) }, 'news could not be spread');
      return;
    }
  }
}

async function spread({ db, ownerOf, now }: CourierDeps, news: NewsRow): Promise<void> {
  const owner = await ownerOf(news.handle);
  const body = JSON.stringify({
    type: news.kind,
    timestamp: news.at.toISOString(),
    data: { handle: news.handle, ...shown(news.body) },
  });
  await db.transaction().execute(async (trx) => {
    if (!(await takeNews(trx, news.seq)) || owner === null) return;
    for (const { id } of await subscribersOf(trx, owner, news.kind)) {
      const messageId = `msg_${randomUUID().replaceAll('-', '')}`;
      await insertDelivery(trx, { id: messageId, subscriptionId: id, kind: news.kind, body, now: now() });
    }
  });
}

/** As the owner's own reads show it. */
function shown({ price, fee, deadline, ...rest }: Readonly<Record<string, unknown>>) {
  if (price === undefined) return rest;
  return {
    ...rest,
    priceUsd: toUsd(BigInt(price as string)),
    feeUsd: toUsd(BigInt(fee as string)),
    deadline: deadline === null ? null : new Date(deadline as string).toISOString(),
  };
}

async function attempt(deps: CourierDeps, due: DueDelivery, timeoutMs: number): Promise<void> {
  const { db, now, retriesMs } = deps;
  const sent = { id: due.id, body: due.body, at: now() };
  let answered: number | null = null;
  let error: string | null = null;
  let retryAfter = 0;
  const began = performance.now();
  try {
    const headers = signedHeaders(deps.seal.open(due.secret), sent);
    const answer = await postMessage(
      new URL(due.url),
      { headers, body: due.body },
      { allowed: deps.allowed, timeoutMs },
    );
    answered = answer.status;
    retryAfter = (answer.retryAfter ?? 0) * 1000;
    if (answered < 200 || answered > 299) error = `answered ${answered}`;
  } catch (thrown) {
    error = String((thrown as Error).message).slice(0, 300);
  }
  const how = error === null ? 'delivered' : answered === null ? 'failed' : 'refused';
  deps.meter?.webhook(how, (performance.now() - began) / 1000);
  deps.crash?.('after-webhook-before-commit');
  const outcome = { id: due.id, subscriptionId: due.subscriptionId, answered, error, now: now() };
  await db.transaction().execute(async (trx) => {
    if (error === null) return await markDelivered(trx, outcome);
    const pause = retriesMs[due.attempts - 1];
    // A little apart, so that what failed together does not come again together.
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

/** Who owns an agent now, read from the chain. */
export function liveOwner(services: Services): CourierDeps['ownerOf'] {
  return async (handle) => {
    const agent = await findAgent(services.db, handle);
    return agent && lowerAddress((await readLive(services, agent)).chain.owner);
  };
}
