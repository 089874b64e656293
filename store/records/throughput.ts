import { CATEGORIES } from '../../agents/categories.ts';
import { type Database, run } from '../database.ts';
import type { Statement } from '../planning-client.ts';

/** What came about within the last hour, and what waits for a decision of the operator or of an owner. */
export interface Throughput {
  readonly matched: number;
  readonly settled: number;
  readonly stopped: number;
  readonly waitForOwners: number;
  readonly openDisputes: number;
}

/** When the statement began: a clock that goes on within it finds nothing by an index. */
const HOUR = `statement_timestamp() - interval '1 hour'`;

/**
 * Each count goes by an index, and so costs what the hour costs, however much came before. Sales are indexed by category,
 * which is why all of these are named. A deal is stopped once what it held is given back, with a cause for each finding.
 */
export const THROUGHPUT: Statement = {
  name: 'throughput',
  text: `
    select (select count(*)::int from matches where matched_at > ${HOUR}) as matched,
      (select count(*)::int from matches where category in (${CATEGORIES.map((c) => `'${c}'`).join(', ')})
        and settled_at is not null and settled_at > ${HOUR}) as settled,
      (select count(distinct deal_id)::int from stops where stopped_at > ${HOUR}) as stopped,
      (select count(*)::int from waiting_deals) as "waitForOwners",
      (select count(*)::int from certificate_disputes where decision is null) as "openDisputes"`,
};

/** Counts for a page that is asked for again and again. */
export async function throughput(db: Database): Promise<Throughput> {
  return (await run<Throughput>(db, THROUGHPUT, []))[0]!;
}
