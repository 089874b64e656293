import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** Everything that is kept of one actor. */
export interface History {
  readonly actor: {
    readonly id: string;
    readonly kind: string;
    readonly version: number;
    readonly snapshot: object;
    readonly revision: bigint;
    readonly status: string;
    readonly next_batch_at: Date | null;
    readonly failures: number;
    readonly fault: string | null;
    readonly created_at: Date;
    readonly updated_at: Date;
  };
  /**
   * Where a replay begins: the birth, or the checkpoint before which all was deleted. Null for an actor that was born
   * before births were kept.
   */
  readonly base: Base | null;
  readonly events: readonly HistoricEvent[];
  readonly effects: readonly {
    readonly key: string;
    readonly kind: string;
    readonly status: string;
    readonly attempts: number;
    readonly failures: number;
    readonly crash_count: number;
    readonly error: string | null;
    readonly created_at: Date;
    readonly finished_at: Date | null;
  }[];
  readonly timers: readonly {
    readonly timer_id: string;
    readonly due_at: Date;
    readonly event: { readonly type: string };
    readonly fired_at: Date | null;
  }[];
}

export interface Base {
  readonly version: number;
  readonly snapshot: object;
  /** 0 at a birth. */
  readonly revision: bigint;
  /** The timers that were set, each with the revision that set it; null at a birth. */
  readonly timers: Readonly<Record<string, number>> | null;
}

export interface HistoricEvent {
  readonly seq: bigint;
  readonly event_id: string;
  readonly event: { readonly type: string } & Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  readonly consumed_at: Date | null;
  readonly dead_lettered_at: Date | null;
  readonly fault: string | null;
  /** The revision of the batch that served it; null where none did or that was not kept. Then only the type may be left. */
  readonly served_in: bigint | null;
}

/** Reads the history in one snapshot of the database. @returns null when there is no such actor */
export async function readHistory(db: Database, actorId: string): Promise<History | null> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const row = await trx.selectFrom('actors').selectAll().where('id', '=', actorId).executeTakeFirst();
      if (!row) return null;
      const { born, ...actor } = row;
      const folded = await trx
        .selectFrom('actor_births')
        .select(['version', 'snapshot', 'revision', 'timers'])
        .where('actor_id', '=', actorId)
        .executeTakeFirst();
      const { rows: events } = await sql<HistoricEvent>`
        select seq, event_id, event, created_at, consumed_at, dead_lettered_at, fault, served_in
        from mailbox where actor_id = ${actorId} order by served_in nulls last, seq`.execute(trx);
      const effects = await trx
        .selectFrom('effects')
        .select([
          'key',
          'kind',
          'status',
          'attempts',
          'failures',
          'crash_count',
          'error',
          'created_at',
          'finished_at',
        ])
        .where('actor_id', '=', actorId)
        .orderBy('id')
        .execute();
      const timers = await trx
        .selectFrom('timers')
        .select(['timer_id', 'due_at', 'event', 'fired_at'])
        .where('actor_id', '=', actorId)
        .orderBy('due_at')
        .execute();
      const base = folded ?? (born === null ? null : { ...born, revision: 0n, timers: null });
      return { actor, base, events, effects, timers };
    });
}
