import type pg from 'pg';
import { type Database, dedicatedClient } from './database.ts';

/** What one process does for all, until it ends: the database knows who, and lets go when its connection is gone. */
export interface Duty {
  /** False when the connection went, and with it the duty. */
  stillMine(): Promise<boolean>;
  release(): Promise<void>;
}

const ANSWER_MS = 5_000;

/**
 * Asks for a duty on a connection of its own (a session's advisory lock, Postgres manual 13.3.5). A process that is
 * killed loses it at once, and one whose machine or network is gone within some twelve seconds: no clock decides.
 * Not behind a pooler that shares sessions.
 * @returns null while another process has it
 */
export async function askForDuty(db: Database, duty: number): Promise<Duty | null> {
  const client = await dedicatedClient(db);
  let gone = false;
  client.on('end', () => {
    gone = true;
  });
  try {
    await client.query(
      'set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 4',
    );
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [duty]);
    if (rows[0]?.mine) return { stillMine: async () => !gone && (await answers(client)), release: end };
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
