import { sql } from 'kysely';
import { type Database, dedicatedClient, type Trx } from '../database.ts';
import { clocksApart, maybeSuspended } from './suspended.ts';

/** A lock that one process has until it ends or hangs. The database releases it with its session. */
export interface AdvisoryLock {
  /** False when the session was lost, and the lock with it. Whoever hung for a while asks before it does anything more. */
  stillMine(): Promise<boolean>;
  /**
   * To be called last in a transaction: it commits only while no other process can have the lock.
   * @throws Error when the lock is lost
   */
  fence(trx: Trx): Promise<void>;
  release(): Promise<void>;
}

const ANSWER_MS = 5_000;
/** How long the server keeps the session of a process that says nothing: by its own clock, nobody else's. */
const SILENT_MS = 15_000;
const HEARTBEAT_MS = 3_000;
/** Heard of within this time, it is not asked: the server counts from later, and to more than twice as much. */
const HEARD_MS = 5_000;
/** Less than {@link SILENT_MS}: what hangs before its commit is rolled back before the lock is free. */
const COMMIT_MS = 5_000;

/**
 * Tries to take a session-level advisory lock (Postgres manual 13.3.5) on a connection of its own. A process that is
 * killed loses it at once. One that hangs, whose connection answers while it does nothing, loses it within 15 seconds,
 * because the server ends a session that is idle for so long (Postgres 14 or later); so does one whose machine or network
 * is gone. It does not work behind a pooler that shares sessions.
 * @returns null while another process has the lock
 */
export async function tryAdvisoryLock(db: Database, lock: number): Promise<AdvisoryLock | null> {
  const client = await dedicatedClient(db);
  let gone = false;
  let heardAt = performance.now();
  let apart = clocksApart();
  // One after the other: a server that hangs would find a question of each heartbeat when it goes on.
  let asked: Promise<unknown> = Promise.resolve();
  const ask = (): Promise<unknown> => {
    const question = (): Promise<unknown> => client.query('select 1');
    asked = asked.then(question, question);
    return asked;
  };
  let heartbeats: NodeJS.Timeout | undefined;
  const isHeard = async (): Promise<boolean> => {
    // From when it was asked: the server counts from when it has answered.
    const at = performance.now();
    const apartBefore = clocksApart();
    const heard = gone ? 'refused' : await answered(ask());
    // It may be refused a little before the end of the connection is told.
    if (heard === 'refused') gone = true;
    if (heard === 'answered') [heardAt, apart] = [Math.max(heardAt, at), apartBefore];
    return heard === 'answered' && !gone;
  };
  /** The server counts on while this machine is suspended, and our clock does not. */
  const isHeardLately = (): boolean => performance.now() - heardAt < HEARD_MS && !maybeSuspended(apart);
  client.on('end', () => {
    gone = true;
    clearInterval(heartbeats);
  });
  try {
    await client.query(
      `set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 4;
       set idle_session_timeout = ${SILENT_MS}`,
    );
    heardAt = performance.now();
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [lock]);
    if (rows[0]?.mine) {
      heartbeats = setInterval(() => void isHeard(), HEARTBEAT_MS);
      return {
        stillMine: async () => !gone && (isHeardLately() || (await isHeard())),
        async fence(trx) {
          await sql`set local idle_in_transaction_session_timeout = ${sql.lit(COMMIT_MS)}`.execute(trx);
          if (!(await isHeard()))
            throw new Error(`the lock ${lock} is lost: another process may have it, and nothing was written`);
        },
        release: end,
      };
    }
  } catch (error) {
    await end();
    throw error;
  }
  await end();
  return null;

  async function end(): Promise<void> {
    clearInterval(heartbeats);
    await client.end().catch(() => {});
  }
}

/** What is done under a lock may ask whether it still is. */
export type HeldLock = Pick<AdvisoryLock, 'stillMine' | 'fence'>;

/** Does something while no other process does anything under the same lock. @returns null when another one does */
export async function underAdvisoryLock<T>(
  db: Database,
  lock: number,
  act: (held: HeldLock) => Promise<T>,
): Promise<T | null> {
  const held = await tryAdvisoryLock(db, lock);
  if (held === null) return null;
  try {
    return await act(held);
  } finally {
    await held.release();
  }
}

async function answered(question: Promise<unknown>): Promise<'answered' | 'refused' | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS, 'late');
  });
  try {
    return await Promise.race([
      question.then(
        () => 'answered' as const,
        () => 'refused' as const,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
