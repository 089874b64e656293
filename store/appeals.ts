import type { Database, Trx } from './database.ts';
import { insertRecord, type SignedRecord } from './records.ts';

export interface Appeal {
  /** The record appealed against. */
  readonly recordId: string;
  /** The record of the determination that was made again. */
  readonly appealId: string;
  /** Who signed it, lower case. */
  readonly wallet: string;
  readonly filedAt: Date;
  /** The appeal raised no hard flag: the first record is no longer held against its subject. */
  readonly overturned: boolean;
}

/** The appeal that was filed against a record; null when there is none. */
export async function appealAgainst(db: Database | Trx, recordId: string): Promise<Appeal | null> {
  return (await linksOf(db, recordId)).find((a) => a.recordId === recordId) ?? null;
}

/** The appeals that a record stands in: against it, and the one that it is the outcome of. */
export async function linksOf(db: Database | Trx, recordId: string): Promise<Appeal[]> {
  const rows = await db
    .selectFrom('appeals')
    .selectAll()
    .where((eb) => eb.or([eb('record_id', '=', recordId), eb('appeal_id', '=', recordId)]))
    .execute();
  return rows.map((row) => ({
    recordId: row.record_id,
    appealId: row.appeal_id,
    wallet: row.wallet,
    filedAt: row.filed_at,
    overturned: row.overturned,
  }));
}

/** Those among the records whose hard flags an appeal did not find again. */
export async function overturned(db: Database, recordIds: readonly string[]): Promise<string[]> {
  if (recordIds.length === 0) return [];
  const rows = await db
    .selectFrom('appeals')
    .select('record_id')
    .where('record_id', 'in', recordIds)
    .where('overturned', '=', true)
    .execute();
  return rows.map((r) => r.record_id);
}

/** When a wallet filed its appeals since, oldest first. */
export async function appealsSince(db: Database, wallet: string, since: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom('appeals')
    .select('filed_at')
    .where('wallet', '=', wallet)
    .where('filed_at', '>', since)
    .orderBy('filed_at')
    .execute();
  return rows.map((r) => r.filed_at);
}

/**
 * Files the record of an appeal and what joins it to the record appealed against. Of several at once the first one
 * stands. @returns false when there was an appeal already, and then nothing was written
 */
export async function fileAppeal(trx: Trx, appeal: Appeal, signed: SignedRecord): Promise<boolean> {
  // Whoever comes second waits here for the first, before anything of its own is written.
  await trx
    .selectFrom('records')
    .select('record_id')
    .where('record_id', '=', appeal.recordId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if ((await appealAgainst(trx, appeal.recordId)) !== null) return false;
  await insertRecord(trx, signed);
  await trx
    .insertInto('appeals')
    .values({
      record_id: appeal.recordId,
      appeal_id: appeal.appealId,
      wallet: appeal.wallet,
      filed_at: appeal.filedAt,
      overturned: appeal.overturned,
    })
    .execute();
  return true;
}
