import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { parsedAll } from '../parsed.ts';
import type { Tables } from '../tables.ts';

export type EventKind = Tables['public_events']['kind'];

/** A numbered public event. `body` contains public columns only; money in it is micro-dollars as text. */
export interface PublicEvent {
  readonly id: bigint;
  readonly kind: EventKind;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Numbers new events in the order in which they were written. Of several about one subject in one transaction only the
 * last counts, because the earlier ones were never public. Callers take turns, so that no number appears below one that
 * was readable before. Nothing else uses the counter, so there are no gaps.
 * @returns how many were numbered
 */
export async function sequenceEvents(db: Database): Promise<number> {
  // Usually there is nothing to number, and then nobody should wait for the lock.
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

/** The events after a number, the oldest first, at most `limit`. */
export async function eventsAfter(db: Database, id: bigint, limit: number): Promise<PublicEvent[]> {
  const rows = await db
    .selectFrom('public_events')
    .select(['id', 'kind', 'body'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute();
  return parsedAll('public_events', rows);
}

/** The last number, and the oldest event that is kept: one above the last when none is kept. */
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

/** Deletes events older than a given time. @returns how many */
export async function forgetEvents(db: Database, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('public_events')
    .where('told_at', '<', before)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
