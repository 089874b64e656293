import { type Selectable, sql } from 'kysely';
import type { Database, Trx } from './database.ts';
import type { Tables } from './tables.ts';

export type EffectRow = Selectable<Tables['effects']>;

/** An effect to wake somebody for: the kind decides by which lane. */
export interface WaitingEffect {
  readonly key: string;
  readonly kind: string;
}

/** Effects that wait since before `before`, or whose worker let the lease run out by then. */
export async function dueEffects(db: Database, before: Date, limit: number): Promise<WaitingEffect[]> {
  return await db
    .selectFrom('effects')
    .select(['key', 'kind'])
    .where('status', 'in', ['pending', 'running'])
    .where('next_attempt_at', '<=', before)
    .where((eb) => eb.or([eb('status', '=', 'pending'), eb('lease_until', '<', before)]))
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute();
}

/** What one actor waits to have done. */
export async function waitingEffects(db: Database, actorId: string, now: Date): Promise<WaitingEffect[]> {
  return await db
    .selectFrom('effects')
    .select(['key', 'kind'])
    .where('actor_id', '=', actorId)
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', now)
    .orderBy('id')
    .execute();
}

/** Takes an effect for one attempt. @returns null when it is not due, done, or in another worker's hands */
export async function claimEffect(
  db: Database,
  key: string,
  now: Date,
  leaseUntil: Date,
): Promise<EffectRow | null> {
  const row = await db
    .updateTable('effects')
    .set((eb) => ({ status: 'running', attempts: eb('attempts', '+', 1), lease_until: leaseUntil }))
    .where('key', '=', key)
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'pending'), eb('next_attempt_at', '<=', now)]),
        eb.and([eb('status', '=', 'running'), eb('lease_until', '<', now)]),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function extendLease(db: Database, key: string, attempt: number, until: Date): Promise<void> {
  await db
    .updateTable('effects')
    .set({ lease_until: until })
    .where('key', '=', key)
    .where('status', '=', 'running')
    .where('attempts', '=', attempt)
    .execute();
}

/**
 * Closes an attempt and tells the actor, in one statement, if it is still this attempt's to close.
 * @returns false when the lease went to another attempt, and nothing was written
 */
export async function closeEffect(
  db: Database | Trx,
  effect: {
    key: string;
    attempt: number;
    status: 'done' | 'failed' | 'pending';
    error: string | null;
    event: object | null;
    nextAttemptAt: Date;
    now: Date;
  },
): Promise<boolean> {
  const event = effect.event === null ? null : JSON.stringify(effect.event);
  const { rows } = await sql`
    with closed as (
      update effects set status = ${effect.status}, error = ${effect.error}, lease_until = null,
        next_attempt_at = ${effect.nextAttemptAt},
        finished_at = ${effect.status === 'pending' ? null : effect.now}::timestamptz
      where key = ${effect.key} and status = 'running' and attempts = ${effect.attempt}
      returning key, actor_id
    ), told as (
      insert into mailbox (actor_id, event_id, event, created_at)
      select actor_id, 'effect:' || key, ${event}::jsonb, ${effect.now} from closed where ${event}::jsonb is not null
      on conflict (actor_id, event_id) do nothing
    )
    select key from closed`.execute(db);
  return rows.length > 0;
}
