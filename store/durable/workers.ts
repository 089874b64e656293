import { type Selectable, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';

/** The processes that serve mailboxes and effects, by their last heartbeat. Times are the database's. */

export interface WorkerSelf {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly concurrency: number;
  /** Whether it runs the periodic tasks for all processes. */
  readonly leader: boolean;
  /** Effects that run in it. */
  readonly inHand: number;
}

export type WorkerRow = Selectable<Tables['workers']> & {
  /** Seconds since its last heartbeat. */
  readonly silent: number;
};

/** One that was silent for longer is not counted on. */
const HEARD_WITHIN_S = 10;

/** Whether a worker was heard of lately enough to be one that serves. */
export function serves({ silent }: Pick<WorkerRow, 'silent'>): boolean {
  return silent < HEARD_WITHIN_S;
}

/**
 * Writes a heartbeat: this process lives, and so many effects run in it.
 * @returns whether there are other workers, whose connections may be gone
 */
export async function heartbeat(db: Database, self: WorkerSelf): Promise<boolean> {
  const { rows } = await sql<{ others: boolean }>`
    insert into workers (id, host, pid, concurrency, leader, in_hand)
    values (${self.id}, ${self.host}, ${self.pid}, ${self.concurrency}, ${self.leader}, ${self.inHand})
    on conflict (id) do update
      set leader = excluded.leader, in_hand = excluded.in_hand, seen_at = clock_timestamp(), gone_at = null
    returning exists (select from workers where gone_at is null and id <> ${self.id}) as others`.execute(db);
  return rows[0]!.others;
}

/**
 * Workers without a connection to the database: the server ends those of a process that was killed at once, whatever its
 * last heartbeat says. One whose machine is gone keeps them for a while, and its leases run out meanwhile. Behind a pooler
 * that keeps connections for others nobody is ever absent.
 */
export async function absentWorkers(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from workers where gone_at is null
      and not exists (select from pg_stat_activity where application_name = workers.id)`.execute(db);
  return rows.map((row) => row.id);
}

/** Ends the leases of workers that are gone, so that others may claim at once what they held. @returns how many */
export async function endLeasesOf(db: Database, ids: readonly string[]): Promise<number> {
  const { rows } = await sql`
    with gone as (
      update workers set gone_at = clock_timestamp() where id = any(${ids}::text[]) and gone_at is null
      and not exists (select from pg_stat_activity where application_name = workers.id) returning id
    )
    update effects e set lease_until = clock_timestamp() from gone
    where e.status = 'running' and e.lease_holder = gone.id and e.lease_until > clock_timestamp()
    returning e.key`.execute(db);
  return rows.length;
}

export async function listWorkers(db: Database): Promise<WorkerRow[]> {
  const { rows } = await sql<WorkerRow>`
    select *, extract(epoch from clock_timestamp() - seen_at)::float8 as silent
    from workers order by started_at, id`.execute(db);
  return rows;
}

/** Removes a worker that ended in order. */
export async function deregister(db: Database, id: string): Promise<void> {
  await db.deleteFrom('workers').where('id', '=', id).execute();
}

/** Removes workers without a heartbeat for so long that they are of no interest any more. */
export async function forgetSilentWorkers(db: Database, seconds: number): Promise<void> {
  await sql`delete from workers where seen_at < clock_timestamp() - ${seconds} * interval '1 second'`.execute(
    db,
  );
}
