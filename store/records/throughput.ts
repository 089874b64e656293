import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** What came about within the last hour, and what waits for a decision of the operator. */
export interface Throughput {
  readonly matched: number;
  readonly settled: number;
  readonly stopped: number;
  readonly waitForOwners: number;
  readonly openDisputes: number;
}

const HOUR = sql`clock_timestamp() - interval '1 hour'`;

export async function throughput(db: Database): Promise<Throughput> {
  const { rows } = await sql<Throughput>`
    select (select count(*)::int from matches where matched_at > ${HOUR}) as matched,
      (select count(*)::int from matches where settled_at > ${HOUR}) as settled,
      (select count(*)::int from deals where state = 'stopped' and updated_at > ${HOUR}) as stopped,
      (select count(*)::int from deals where state = 'awaiting-owner') as "waitForOwners",
      (select count(*)::int from certificate_disputes where decision is null) as "openDisputes"`.execute(db);
  return rows[0]!;
}
