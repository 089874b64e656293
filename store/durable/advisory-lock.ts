import type pg from 'pg';
import { type Database, dedicatedClient } from '../database.ts';

/** A lock that one process has until it ends. The database releases it when the connection is gone. */
export interface AdvisoryLock {
  /** False when the connection was lost, and the lock with it. */
  stillMine(): Promise<boolean>;
  release(): Promise<void>;
}

const ANSWER_MS = 5_000;
/** A server that goes away ends the connection, which is known without asking; a network that does says nothing. */
const HEARD_MS = 5_000;

/**
 * Tries to take a session-level advisory lock (Postgres manual 13.3.5) on a connection of its own. A process that is
 * killed loses it at once; one whose machine or network is gone loses it within some twelve seconds. No clock decides.
 * It does not work behind a pooler that shares sessions.
 * @returns null while another process has the lock
 */
export async function tryAdvisoryLock(db: Database, lock: number): Promise<AdvisoryLock | null> {
  const client = await dedicatedClient(db);
  let gone = false;
  let heardAt = performance.now();
  const isHeard = async (): Promise<boolean> => {
    if (performance.now() - heardAt < HEARD_MS) return true;
    const heard = await answers(client);
    if (heard) heardAt = performance.now();
    return heard;
  };
  client.on('end', () => {
    gone = true;
  });
  try {
    await client.query(
      'set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 4',
    );
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [lock]);
    if (rows[0]?.mine) return { stillMine: async () => !gone && (await isHeard()) && !gone, release: end };
  } catch (error) {
    await end();
    throw error;
  }
  await end();
  return null;

  async function end(): Promise<void> {
    await client.end().catch(() => {});
  }
}

/** Does something while no other process does anything under the same lock. @returns null when another one does */
export async function underAdvisoryLock<T>(
  db: Database,
  lock: number,
  act: () => Promise<T>,
): Promise<T | null> {
  const held = await tryAdvisoryLock(db, lock);
  if (held === null) return null;
  try {
    return await act();
  } finally {
    await held.release();
  }
}

async function answers(client: pg.Client): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS, false);
  });
  try {
    return await Promise.race([
      client.query('select 1').then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
