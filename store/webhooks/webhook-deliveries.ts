import { type Selectable, sql } from 'kysely';
import type { Database, Trx } from '../database.ts';
import { type Again, type NewJob, scheduleJobs } from '../durable/jobs.ts';
import { parsedAll } from '../parsed.ts';
import type { Tables } from '../tables.ts';

export type DeliveryRow = Selectable<Tables['webhook_deliveries']>;
export type NotificationRow = Selectable<Tables['owner_notifications']>;

/**
 * The agents of which owners are to be told something, whose has waited longest first.
 * @param query.quarantine the kind under which agents are set aside that could not be told of
 */
export async function handlesWithNotifications(
  db: Database,
  query: { limit: number; quarantine: string },
): Promise<string[]> {
  const { rows } = await sql<{ handle: string }>`
    select handle from owner_notifications n
    where not exists (select from quarantine q
      where q.kind = ${query.quarantine} and q.item = n.handle and q.next_try_at > clock_timestamp())
    group by handle order by min(seq) limit ${query.limit}`.execute(db);
  return rows.map(({ handle }) => handle);
}

/** What owners are to be told of an agent and nobody has been told yet, oldest first. */
export async function waitingNotifications(
  db: Database,
  handle: string,
  limit: number,
): Promise<NotificationRow[]> {
  const rows = await db
    .selectFrom('owner_notifications')
    .selectAll()
    .where('handle', '=', handle)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return parsedAll('owner_notifications', rows);
}

/** Takes a piece of news off the list, for whoever spreads it in the same transaction. @returns false when another did */
export async function takeNotifications(trx: Trx, seq: bigint): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('owner_notifications')
    .where('seq', '=', seq)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** The kind of the jobs that deliver: one for each subscription, so that it gets one message at a time, in order. */
export const DELIVER = 'deliver-webhooks';

const deliverTo = (subscriptionId: string): NewJob => ({
  ...{ key: `${DELIVER}:${subscriptionId}`, kind: DELIVER, params: { subscriptionId }, afterMs: 0 },
});

/** Writes a delivery, and has it delivered once the transaction commits. */
export async function insertDelivery(
  trx: Trx,
  made: { id: string; subscriptionId: string; kind: string; body: string; now: Date },
): Promise<void> {
  await trx
    .insertInto('webhook_deliveries')
    .values({
      id: made.id,
      subscription_id: made.subscriptionId,
      kind: made.kind,
      body: made.body,
      next_attempt_at: made.now,
      answered: null,
      error: null,
      created_at: made.now,
      finished_at: null,
    })
    .execute();
  await scheduleJobs(trx, [deliverTo(made.subscriptionId)]);
}

/** A delivery whose attempt is under way, with where it goes. */
export interface DueDelivery {
  readonly id: string;
  readonly subscriptionId: string;
  readonly body: string;
  /** This one counted. */
  readonly attempts: number;
  readonly url: string;
  /** Sealed. */
  readonly secret: string;
}

/** Counts one more attempt of the delivery that a subscription has waited for longest. @returns null when none is due */
export async function beginDelivery(
  db: Database,
  { subscriptionId, now }: { subscriptionId: string; now: Date },
): Promise<DueDelivery | null> {
  const { rows } = await sql<DueDelivery>`
    update webhook_deliveries w set attempts = attempts + 1
    from webhook_subscriptions s
    where s.id = w.subscription_id and s.status = 'active' and w.id = (
      select id from webhook_deliveries
      where subscription_id = ${subscriptionId} and status = 'pending' and next_attempt_at <= ${now}
      order by next_attempt_at, seq limit 1)
    returning w.id, w.subscription_id as "subscriptionId", w.body, w.attempts, s.url, s.secret`.execute(db);
  return rows[0] ?? null;
}

/** When the next delivery of a subscription is due; null: none waits, or nothing is sent there any more. */
export async function nextDelivery(
  trx: Trx,
  { subscriptionId, now }: { subscriptionId: string; now: Date },
): Promise<Again | null> {
  const next = await trx
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_subscriptions as s', 's.id', 'd.subscription_id')
    .select('next_attempt_at')
    .where('subscription_id', '=', subscriptionId)
    .where('d.status', '=', 'pending')
    .where('s.status', '=', 'active')
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  return next ? { afterMs: Math.max(0, next.next_attempt_at.getTime() - now.getTime()) } : null;
}

/**
 * Has a subscription told of what waits for it after all, where it was its job that an operator dropped: no clock schedules
 * that one, and the next message may be days away.
 * @param key of the job that was dropped
 */
export async function deliverDespiteDrop(trx: Trx, key: string, now: Date): Promise<void> {
  if (!key.startsWith(`${DELIVER}:`)) return;
  const subscriptionId = key.slice(DELIVER.length + 1);
  const next = await nextDelivery(trx, { subscriptionId, now });
  if (next !== null) await scheduleJobs(trx, [{ ...deliverTo(subscriptionId), afterMs: next.afterMs }]);
}

/** What came of an attempt. */
export interface Attempt {
  readonly id: string;
  readonly subscriptionId: string;
  readonly answered: number | null;
  readonly error: string | null;
  readonly now: Date;
}

export async function markDelivered(trx: Trx, { id, subscriptionId, answered, now }: Attempt): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'delivered', answered, error: null, finished_at: now })
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('webhook_subscriptions')
    .set({ failing_since: null })
    .where('id', '=', subscriptionId)
    .where('failing_since', 'is not', null)
    .execute();
}

/**
 * @param again when to try again; null: never
 * @param disable why nothing more is to be sent there, when that is so whatever was taken before
 * @param patienceMs how long all may fail before nothing more is sent there
 */
export async function markRefused(
  trx: Trx,
  { id, subscriptionId, answered, error, now }: Attempt,
  next: { again: Date | null; disable: string | null; patienceMs: number },
): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({
      status: next.again === null ? 'failed' : 'pending',
      answered,
      error,
      finished_at: next.again === null ? now : null,
      ...(next.again === null ? {} : { next_attempt_at: next.again }),
    })
    .where('id', '=', id)
    .execute();
  const standing = await trx
    .updateTable('webhook_subscriptions')
    .set((eb) => ({ failing_since: eb.fn.coalesce('failing_since', eb.val(now)) }))
    .where('id', '=', subscriptionId)
    .returning('failing_since')
    .executeTakeFirst();
  const since = standing?.failing_since ?? now;
  const worn = now.getTime() - since.getTime() >= next.patienceMs;
  const reason = next.disable ?? (worn ? `nothing has been taken since ${since.toISOString()}` : null);
  if (reason === null) return;
  await trx
    .updateTable('webhook_subscriptions')
    .set({ status: 'disabled', reason })
    .where('id', '=', subscriptionId)
    .execute();
}

/** What owners wait for, and since when, as metrics show it. */
export interface DeliveryBacklog {
  /** Deliveries to subscriptions that are not disabled. */
  readonly waiting: number;
  /** Seconds since the oldest was to be told that nobody has taken, news that is not spread yet among it; null: all are. */
  readonly oldest: number | null;
  /** Given up after their tries, and not forgotten yet. */
  readonly givenUp: number;
}

/** Reads what the partial indexes hold: what was delivered costs nothing. */
export async function deliveryBacklog(db: Database, now: Date): Promise<DeliveryBacklog> {
  const { rows } = await sql<{ waiting: number; oldest: Date | null; givenUp: number }>`
    select count(*)::int as waiting,
      least(min(d.created_at), (select min(at) from owner_notifications)) as oldest,
      (select count(*)::int from webhook_deliveries where status = 'failed') as "givenUp"
    from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id and s.status = 'active'
    where d.status = 'pending'`.execute(db);
  const { waiting, oldest, givenUp } = rows[0]!;
  const age = oldest === null ? null : Math.max(0, (now.getTime() - oldest.getTime()) / 1000);
  return { waiting, oldest: age, givenUp };
}

/** The latest deliveries, newest first. @param query begins after the delivery of this `seq` */
export async function listDeliveries(
  db: Database,
  query: {
    subscriptionId?: string;
    status?: DeliveryRow['status'];
    limit: number;
    offset?: number;
    after?: bigint;
  },
): Promise<(DeliveryRow & { wallet: string; url: string })[]> {
  let rows = db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_subscriptions', 'webhook_subscriptions.id', 'webhook_deliveries.subscription_id')
    .selectAll('webhook_deliveries')
    .select(['wallet', 'url']);
  if (query.subscriptionId !== undefined) rows = rows.where('subscription_id', '=', query.subscriptionId);
  if (query.status !== undefined) rows = rows.where('webhook_deliveries.status', '=', query.status);
  if (query.after !== undefined) rows = rows.where('webhook_deliveries.seq', '<', query.after);
  return await rows
    .orderBy('webhook_deliveries.seq', 'desc')
    .limit(query.limit)
    .offset(query.offset ?? 0)
    .execute();
}

/** Has a delivery sent again, whatever came of it, from the first of its attempts. @returns false when there is none */
export async function resendDelivery(db: Database, id: string, now: Date): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('webhook_deliveries')
      .select('subscription_id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!found) return false;
    // The job first, in the order in which a delivery that ends locks both.
    await scheduleJobs(trx, [deliverTo(found.subscription_id)]);
    await trx
      .updateTable('webhook_deliveries')
      .set({ status: 'pending', attempts: 0, next_attempt_at: now, finished_at: null })
      .where('id', '=', id)
      .execute();
    return true;
  });
}

/** Lets a subscription that was switched off be told again, first of what waits. @returns false when there is none */
export async function enableSubscription(db: Database, id: string): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    // The job first, in the order in which a delivery that ends locks both. Where there is no subscription, it ends.
    await scheduleJobs(trx, [deliverTo(id)]);
    const { numUpdatedRows } = await trx
      .updateTable('webhook_subscriptions')
      .set({ status: 'active', failing_since: null, reason: null })
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
}

/** Forgets what was told, or given up, before a moment. */
export async function forgetDeliveries(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('finished_at', '<', before).execute();
}
