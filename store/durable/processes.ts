import { type Selectable, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';

/** What the processes of one database take the chains for. Times are the database's. */

export type ProcessRow = Omit<Selectable<Tables['processes']>, 'seen_at'>;

/** One that was silent for longer does not run any more. */
const HEARD_WITHIN_S = 20;

/** Writes that this process runs, and with which settings. One that ended without a word is removed. */
export async function tellProcess(db: Database, self: ProcessRow): Promise<void> {
  await sql`
    with gone as (
      delete from processes where id <> ${self.id}
        and seen_at < clock_timestamp() - ${HEARD_WITHIN_S} * interval '1 second'
    )
    insert into processes (id, host, pid, confirmations, head_age_1002, head_age_84532)
    values (${self.id}, ${self.host}, ${self.pid}, ${self.confirmations}, ${self.head_age_1002}, ${self.head_age_84532})
    on conflict (id) do update set seen_at = clock_timestamp()`.execute(db);
}

/** The processes that run; none on a schema that has no room for them yet. */
export async function listProcesses(db: Database): Promise<ProcessRow[]> {
  const made = await sql<{ held: boolean }>`select to_regclass('processes') is not null as held`.execute(db);
  if (!made.rows[0]!.held) return [];
  const { rows } = await sql<ProcessRow>`
    select id, host, pid, confirmations, head_age_1002, head_age_84532 from processes
    where seen_at >= clock_timestamp() - ${HEARD_WITHIN_S} * interval '1 second'
    order by host, pid, id`.execute(db);
  return rows;
}

/** Removes a process that ended in order. */
export async function forgetProcess(db: Database, id: string): Promise<void> {
  await db.deleteFrom('processes').where('id', '=', id).execute();
}
