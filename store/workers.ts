import { type Selectable, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** The processes that serve turns and effects, as each last said of itself; times are the database's. */

export interface WorkerSelf {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly concurrency: number;
  /** It keeps the rounds that one process keeps for all. */
  readonly keeper: boolean;
  /** Effects under way in it. */
  readonly inHand: number;
}

export type WorkerRow = Selectable<Tables['workers']> & {
  /** Seconds since it was last heard of. */
  readonly silent: number;
};

/** Says that this process lives, and what it has in hand. */
export async function beat(db: Database, self: WorkerSelf): Promise<void> {
  await sql`
    insert into workers (id, host, pid, concurrency, keeper, in_hand)
    values (${self.id}, ${self.host}, ${self.pid}, ${self.concurrency}, ${self.keeper}, ${self.inHand})
    on conflict (id) do update
      set keeper = excluded.keeper, in_hand = excluded.in_hand, seen_at = clock_timestamp()`.execute(db);
}

export async function listWorkers(db: Database): Promise<WorkerRow[]> {
  const { rows } = await sql<WorkerRow>`
    select *, extract(epoch from clock_timestamp() - seen_at)::float8 as silent
    from workers order by started_at, id`.execute(db);
  return rows;
}

/** A worker that ended in order is there no more. */
export async function leave(db: Database, id: string): Promise<void> {
  await db.deleteFrom('workers').where('id', '=', id).execute();
}

/** Drops those of whom nothing was heard for so long that nobody asks any more. */
export async function forgetSilentWorkers(db: Database, seconds: number): Promise<void> {
  await sql`delete from workers where seen_at < clock_timestamp() - ${seconds} * interval '1 second'`.execute(
    db,
  );
}
