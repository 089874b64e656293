import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** What the operator took back, and why. The record itself stays as it was hashed. */
export interface Retraction {
  readonly reason: string;
  readonly at: Date;
}

/** The place of the newest record; 0 when there is none. */
export async function highestSeq(db: Database): Promise<bigint> {
  const row = await db.selectFrom('records').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row?.seq ?? 0n;
}

/** The places of records from `first` to before `end` that an appeal overturned or the operator retracted. */
export async function withdrawnBetween(db: Database, first: bigint, end: bigint): Promise<bigint[]> {
  const withdrawn = db
    .selectFrom('appeals')
    .select('record_id')
    .where('overturned', '=', true)
    .union(db.selectFrom('record_retractions').select('record_id'));
  const rows = await db
    .selectFrom('records')
    .innerJoin(withdrawn.as('withdrawn'), 'withdrawn.record_id', 'records.record_id')
    .select('records.seq')
    .where('records.seq', '>=', first)
    .where('records.seq', '<', end)
    .execute();
  return rows.map(({ seq }) => seq);
}

/** @returns null where the record was not retracted */
export async function retractionOf(db: Database, recordId: string): Promise<Retraction | null> {
  const row = await db
    .selectFrom('record_retractions')
    .select(['reason', 'retracted_at'])
    .where('record_id', '=', recordId)
    .executeTakeFirst();
  return row === undefined ? null : { reason: row.reason, at: row.retracted_at };
}

/**
 * Takes a record back. The first retraction of a record counts.
 * @returns the retraction that stands; null when there is no such record
 */
export async function retractRecord(
  db: Database,
  recordId: string,
  reason: string,
): Promise<Retraction | null> {
  await sql`
    insert into record_retractions (record_id, reason)
    select record_id, ${reason} from records where record_id = ${recordId}
    on conflict (record_id) do nothing`.execute(db);
  return await retractionOf(db, recordId);
}
