import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { actAsOwnerOf } from '../parts.ts';

/** How many events one part of their table holds. */
const IN_A_PART = 1_000_000n;

const startOf = (id: bigint): bigint => id - (id % IN_A_PART);
const partOf = (start: bigint): string => `public_events_${start}`;

/**
 * Makes the parts of the table that the next events need, and those of events that were numbered before their part was
 * made. Nobody numbers events meanwhile.
 */
export async function makeEventParts(db: Database): Promise<void> {
  const { rows } = await sql<{ last: bigint; unparted: bigint | null }>`
    select last, (select min(first_id) from public_events_default) as unparted from event_counter`.execute(
    db,
  );
  const { last, unparted } = rows[0]!;
  for (let start = startOf(unparted ?? last); start <= startOf(last) + IN_A_PART; start += IN_A_PART)
    if (!(await isMade(db, start))) await makePart(db, start);
}

async function isMade(db: Database, start: bigint): Promise<boolean> {
  const { rows } = await sql<{
    made: boolean;
  }>`select to_regclass(${partOf(start)}) is not null as made`.execute(db);
  return rows[0]!.made;
}

async function makePart(db: Database, start: bigint): Promise<void> {
  const [part, from, to] = [sql.table(partOf(start)), sql.lit(start.toString()), start + IN_A_PART];
  const within = sql`first_id >= ${start} and first_id < ${to}`;
  await db.transaction().execute(async (trx) => {
    await actAsOwnerOf(trx, 'public_events');
    await trx.selectFrom('event_counter').select('last').forUpdate().execute();
    await sql`create table if not exists ${part} (like public_events including all)`.execute(trx);
    await sql`insert into ${part} select * from public_events_default where ${within}`.execute(trx);
    await sql`delete from public_events_default where ${within}`.execute(trx);
    await sql`alter table public_events attach partition ${part}
      for values from (${from}) to (${sql.lit(to.toString())})`.execute(trx);
  });
}

/**
 * Drops every part in which nothing is newer than a time, the oldest first. The part in which numbers grow stays.
 * @returns how many events stood in them
 */
export async function dropEventParts(db: Database, before: Date): Promise<number> {
  const { rows } = await sql<{ start: bigint }>`
    select substring(c.relname from '[0-9]+$')::bigint as start
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public_events'::regclass and c.relname ~ '^public_events_[0-9]+$'
      and substring(c.relname from '[0-9]+$')::bigint + ${IN_A_PART} <= (select last from event_counter)
    order by 1`.execute(db);
  let forgotten = 0;
  for (const { start } of rows) {
    const part = sql.table(partOf(start));
    const found = await sql<{ newer: boolean; events: string }>`
      select exists (select from ${part} where told_at >= ${before}) as newer,
        (select coalesce(sum(last_id - first_id + 1), 0) from ${part}) as events`.execute(db);
    const { newer, events } = found.rows[0]!;
    if (newer) break;
    await sql`drop table ${part}`.execute(db);
    forgotten += Number(events);
  }
  return forgotten;
}
