import { sql } from 'kysely';
import type { Trx } from './database.ts';

/**
 * Every advisory lock of the database with a number of its own, in one place: two parts that chose the same number
 * would wait for each other, and a start for a leader that never lets go.
 */
export const ADVISORY_LOCKS = {
  /** Migrations of several processes that start at once. */
  migrations: 7_266_403,
  /** Held by the process that runs the periodic tasks. */
  periodicTasks: 7_266_404,
  /** The configured operator key, while a start sets it. */
  configuredKey: 7_266_405,
  /** The operators' log, while an entry is added: each names the one before. */
  operatorLog: 7_266_406,
  /** Settlements that the chain took back, while one process sends them again or gives them up. */
  resettlements: 7_266_407,
} as const;

/**
 * Locks one of many things of a kind by its name, such as `handle:harbour-desk`, until the transaction ends. Two names that
 * share a hash wait for each other, and nothing more.
 */
export async function lockNamed(trx: Trx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}
