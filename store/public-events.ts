import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

export type EventKind = Tables['public_events']['kind'];

/** What the public was told, by number. `body` holds public columns alone; money in it is micro-dollars as text. */
export interface PublicEvent {
  readonly id: bigint;
  readonly kind: EventKind;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Numbers what was written down since, in the order of writing, and of each transaction only its last word on a subject:
 * what it put right before it committed was never public. One at a time, so that no number appears below one that could
 * be read before; without gaps, since nothing but this takes numbers.
 * @returns how many were numbered
 */
export async function sequenceEvents(db: Database): Promise<number> {
  // Mostly there is nothing, and then nobody is to wait for anybody.
  const waiting = await db.selectFrom('event_outbox').select('seq').limit(1).executeTakeFirst();
  if (!waiting) return 0;
  return await db.transaction().execute(async (trx) => {
    const { last } = await trx
      .selectFrom('event_counter')
      .select('last')
      .forUpdate()
      .executeTakeFirstOrThrow();
    const { rows } = await sql<{ id: bigint }>`
      with taken as (delete from event_outbox returning *),
      words as (select *, row_number() over (partition by xact, kind, subject order by seq desc) as newest from taken)
      insert into public_events (id, kind, body)
      select ${last} + row_number() over (order by seq), kind, body from words where newest = 1
      returning id`.execute(trx);
    await trx
      .updateTable('event_counter')
      .set({ last: last + BigInt(rows.length) })
      .execute();
    return rows.length;
  });
}

/** The events above a number, oldest first, at most `limit`. */
export async function eventsAfter(db: Database, id: bigint, limit: number): Promise<PublicEvent[]> {
  return await db
    .selectFrom('public_events')
    .select(['id', 'kind', 'body'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The last number given, and the oldest event that is kept: one above the last where none is. */
export async function eventBounds(db: Database): Promise<{ oldest: bigint; last: bigint }> {
  const { last, oldest } = await db
    .selectFrom('event_counter')
    .select([
      'last',
      (eb) =>
        eb
          .selectFrom('public_events')
          .select((e) => e.fn.min('id').as('id'))
          .as('oldest'),
    ])
    .executeTakeFirstOrThrow();
  return { last, oldest: oldest ?? last + 1n };
}

/** Forgets what was told before a moment. @returns how many events */
export async function forgetEvents(db: Database, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('public_events')
    .where('told_at', '<', before)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
