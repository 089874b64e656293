import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { parsedAll } from '../parsed.ts';
import type { Tables } from '../tables.ts';
import { dropEventParts } from './event-parts.ts';

export type EventKind = Tables['event_outbox']['kind'];

/** So many events at most stand in one row, which is read and written whole. */
const IN_A_ROW = 100;

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
    const { rows } = await sql<{ first_id: bigint; last_id: bigint }>`
      with taken as (delete from event_outbox returning *),
      words as (select *, row_number() over (partition by xact, kind, subject order by seq desc) as newest from taken),
      told as (
        select seq, null::bigint as record, null as handle, kind, body from words where newest = 1 and kind <> 'activity'
        union all
        select w.seq, a.seq, a.handle, w.kind, a.body from words w cross join lateral activity_told(w.body) a
        where w.newest = 1 and w.kind = 'activity'),
      numbered as (select kind, body, row_number() over (order by seq, record, handle) as n from told)
      insert into public_events (first_id, last_id, events)
      select ${last} + min(n), ${last} + max(n), jsonb_agg(jsonb_build_object('kind', kind, 'body', body) order by n)
      from numbered group by (n - 1) / ${IN_A_ROW}
      returning first_id, last_id`.execute(trx);
    const numbered = howMany(rows);
    await trx
      .updateTable('event_counter')
      .set({ last: last + BigInt(numbered) })
      .execute();
    return numbered;
  });
}

/**
 * The events after a number, the oldest first, at most `limit`. A match that was stopped since is told as stopped from
 * its first event on, because its price is public no more.
 */
export async function eventsAfter(db: Database, id: bigint, limit: number): Promise<PublicEvent[]> {
  const rows = await db
    .selectFrom('public_events')
    .select(['first_id', sql<readonly Pick<PublicEvent, 'kind' | 'body'>[]>`events`.as('events')])
    .where('last_id', '>', id)
    // Where the index is entered, so that what was told before is not read again.
    .where('first_id', '>', id - BigInt(IN_A_ROW))
    // What was forgotten leaves a gap before the first row, and there is no other.
    .where('first_id', '<=', (eb) =>
      eb
        .selectFrom('public_events')
        .select((e) => sql<bigint>`greatest(${id}, ${e.fn.min('first_id')} - 1) + ${limit}`.as('most')),
    )
    .orderBy('first_id')
    .execute();
  const events = parsedAll('public_events', rows)
    .flatMap((row) => row.events.map((event, i) => ({ id: row.first_id + BigInt(i), ...event })))
    .filter((event) => event.id > id)
    .slice(0, limit);
  const stopped = await stoppedMatches(db, events);
  return events.map((event) =>
    stopped.has(String(event.body.matchId)) ? { ...event, body: { ...event.body, ...STOPPED } } : event,
  );
}

const STOPPED = { state: 'stopped', settledAt: null, tx: null };

/** Which of the matches that events are about came to nothing. */
async function stoppedMatches(db: Database, events: readonly PublicEvent[]): Promise<Set<string>> {
  const ids = events.filter((event) => event.kind === 'match').map((event) => String(event.body.matchId));
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('deals')
    .select('match_id')
    .where('match_id', 'in', [...new Set(ids)])
    .where('state', 'in', ['stopped', 'failed'])
    .execute();
  return new Set(rows.map((row) => row.match_id));
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
          .select((e) => e.fn.min('first_id').as('id'))
          .as('oldest'),
    ])
    .executeTakeFirstOrThrow();
  return { last, oldest: oldest ?? last + 1n };
}

/** Forgets events older than a given time: whole parts of their table, and the rows of the next. @returns how many */
export async function forgetEvents(db: Database, before: Date): Promise<number> {
  const dropped = await dropEventParts(db, before);
  const rows = await db
    .deleteFrom('public_events')
    .where('told_at', '<', before)
    .returning(['first_id', 'last_id'])
    .execute();
  return dropped + howMany(rows);
}

/** How many events stand in some rows. */
function howMany(rows: readonly { first_id: bigint; last_id: bigint }[]): number {
  return rows.reduce((n, { first_id, last_id }) => n + Number(last_id - first_id) + 1, 0);
}
