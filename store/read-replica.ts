import { sql } from 'kysely';
import pg from 'pg';
import { type Database, databaseOver, poolOf, poolOptions } from './database.ts';
import { impatient, ReadingPool } from './reading-pool.ts';

/** Reads from a replica of the database while it lags by no more than is allowed. */
export interface ReadReplica {
  /** Single statements that only read. Whatever the replica does not answer is asked of the primary. */
  readonly db: Database;
  /** How old its data may be now, milliseconds; null while the primary is asked. */
  age(): number | null;
  stop(): Promise<void>;
}

export interface ReplicaOptions {
  readonly url: string;
  readonly maxLagMs: number;
  /** Of the process, which all connections carry. */
  readonly name: string;
}

/** How often the replica is compared with the primary, at least. */
const COMPARE_MS = 500;

/** Where a server is in the write-ahead log, in bytes, and of which cluster. */
interface Position {
  readonly cluster: string;
  /** Null where it cannot be told: a primary that is a replica, or a replica that is none. */
  readonly bytes: bigint | null;
}

/**
 * Compares positions in the write-ahead log: the replica holds all that was committed before the moment at which the
 * primary was where the replica is now. What a replica tells of its latest transaction says nothing while none is
 * written, or while none arrives. A replica that cannot be compared counts as too old.
 */
export function openReadReplica(primary: Database, { url, maxLagMs, name }: ReplicaOptions): ReadReplica {
  let upTo = Number.NEGATIVE_INFINITY;
  const age = (): number | null => {
    const old = performance.now() - upTo;
    return old <= maxLagMs ? Math.round(old) : null;
  };
  const pool = new ReadingPool(poolOptions(url, { name }), poolOf(primary), () => age() !== null);
  // Of its own: what is compared must not wait behind what is read.
  const own = databaseOver(new pg.Pool({ ...poolOptions(url, { max: 1, name }), ...impatient }));

  let seen: { readonly at: number; readonly bytes: bigint }[] = [];
  const compare = async (): Promise<void> => {
    const at = performance.now();
    const [there, here] = await Promise.all([writtenBy(primary), replayedBy(own)]);
    const replayed = here.bytes;
    // Another cluster, or one that follows nobody since it took the primary's place.
    if (there.cluster !== here.cluster || replayed === null) upTo = Number.NEGATIVE_INFINITY;
    if (there.cluster !== here.cluster || replayed === null || there.bytes === null) return;
    seen.push({ at, bytes: there.bytes });
    upTo = seen.findLast(({ bytes }) => bytes <= replayed)?.at ?? upTo;
    seen = seen.filter((position) => position.at > upTo && at - position.at <= maxLagMs);
  };
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  const round = async (): Promise<void> => {
    await compare().catch(() => {});
    if (over) return;
    timer = setTimeout(() => (running = round()), Math.min(COMPARE_MS, maxLagMs / 4));
    timer.unref();
  };
  let running = round();
  return {
    db: databaseOver(pool),
    age,
    async stop() {
      over = true;
      clearTimeout(timer);
      await Promise.all([own.destroy(), pool.end()]);
      await running;
    },
  };
}

async function writtenBy(db: Database): Promise<Position> {
  const { rows } = await sql<{ cluster: string; at: string | null }>`
    select system_identifier::text as cluster,
      case when not pg_is_in_recovery() then pg_current_wal_insert_lsn()::text end as at
    from pg_control_system()`.execute(db);
  return positionOf(rows[0]!);
}

async function replayedBy(db: Database): Promise<Position> {
  const { rows } = await sql<{ cluster: string; at: string | null }>`
    select system_identifier::text as cluster,
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as at
    from pg_control_system()`.execute(db);
  return positionOf(rows[0]!);
}

/** A position is written as two hexadecimal halves, such as `16/B374D848`. */
function positionOf({ cluster, at }: { cluster: string; at: string | null }): Position {
  const [high, low] = (at ?? '').split('/');
  const bytes =
    high === undefined || low === undefined ? null : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
  return { cluster, bytes };
}
