import type { Database, Trx } from '../database.ts';
import { insertRecord, isFiled, type SignedRecord } from './records.ts';

/** What was taken back, and why. The record itself stays as it was hashed. */
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
export async function retractionOf(db: Database | Trx, recordId: string): Promise<Retraction | null> {
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
  db: Database | Trx,
  recordId: string,
  reason: string,
): Promise<Retraction | null> {
  if (!(await isFiled(db, recordId))) return null;
  await db
    .insertInto('record_retractions')
    .values({ record_id: recordId, reason })
    .onConflict((oc) => oc.column('record_id').doNothing())
    .execute();
  return await retractionOf(db, recordId);
}

/** What the records of one happening have in common, of which each takes the place of the one before. */
export interface Happening {
  readonly kind: string;
  readonly handle: string;
  readonly subject?: string;
  /** Any of these times. */
  readonly issuedAt?: readonly Date[];
}

/** The ids of the records of one happening, in the order in which they were filed. */
export async function recordsOf(
  db: Database | Trx,
  { kind, handle, subject, issuedAt }: Happening,
): Promise<string[]> {
  let rows = db
    .selectFrom('records')
    .select('record_id')
    .where('handle', '=', handle)
    .where('kind', '=', kind)
    .orderBy('seq');
  if (subject !== undefined) rows = rows.where('subject', '=', subject);
  if (issuedAt !== undefined) rows = rows.where('created_at', 'in', issuedAt);
  return (await rows.execute()).map((row) => row.record_id);
}

/**
 * Files a record, and takes back those of a happening whose place it takes: nothing else says of them that they do not
 * hold. @param reason a sentence without its end
 */
export async function fileInPlace(
  trx: Trx,
  happening: Happening,
  signed: SignedRecord,
  reason: string,
): Promise<void> {
  await insertRecord(trx, signed);
  const { recordId } = signed.record;
  const former = (await recordsOf(trx, happening)).filter((id) => id !== recordId);
  for (const id of former) await retractRecord(trx, id, `${reason}: record ${recordId} takes its place.`);
}
