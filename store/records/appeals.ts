import { sql } from 'kysely';
import type { Database, Trx } from '../database.ts';
import { insertRecord, type SignedRecord } from './records.ts';

export interface Appeal {
  /** The record that is appealed against. */
  readonly recordId: string;
  /** The record of the new determination. */
  readonly appealId: string;
  /** The wallet that signed the appeal, lower case. */
  readonly wallet: string;
  readonly filedAt: Date;
  /** By this appeal or one against its record, all that was FLAGGED is CLEAN: the first record no longer counts. */
  readonly overturned: boolean;
}

/** The appeal against a record; null when there is none. */
export async function appealAgainst(db: Database | Trx, recordId: string): Promise<Appeal | null> {
  return (await linksOf(db, recordId)).find((a) => a.recordId === recordId) ?? null;
}

/** The appeals that involve a record: the one against it, and the one whose result it is. */
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

/** The records above this one in a chain of appeals that were confirmed and stand, the nearest first. */
export async function confirmedBefore(db: Database, recordId: string): Promise<string[]> {
  const rows = await db
    .withRecursive('above', (cte) =>
      cte
        .selectFrom('appeals')
        .select(['record_id', 'overturned', sql<number>`1`.as('far')])
        .where('appeal_id', '=', recordId)
        .unionAll(
          cte
            .selectFrom('appeals as a')
            .innerJoin('above', 'above.record_id', 'a.appeal_id')
            .select(['a.record_id', 'a.overturned', sql<number>`above.far + 1`.as('far')]),
        ),
    )
    .selectFrom('above')
    .select('record_id')
    .where('overturned', '=', false)
    .orderBy('far')
    .execute();
  return rows.map((row) => row.record_id);
}

/** The records among these that an appeal overturned, or which the operator retracted. */
export async function overturned(db: Database, recordIds: readonly string[]): Promise<string[]> {
  if (recordIds.length === 0) return [];
  const rows = await db
    .selectFrom('appeals')
    .select('record_id')
    .where('record_id', 'in', recordIds)
    .where('overturned', '=', true)
    .union(db.selectFrom('record_retractions').select('record_id').where('record_id', 'in', recordIds))
    .execute();
  return rows.map((r) => r.record_id);
}

/** The times at which a wallet filed appeals since then, the oldest first. */
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
 * Files the record of an appeal, and its link to the record appealed against. When several are filed at once, the first
 * one counts.
 * @param cleared records that it overturns beside: earlier appeals confirmed them
 * @returns false when there was an appeal already, and nothing was written
 */
export async function fileAppeal(
  trx: Trx,
  appeal: Appeal,
  signed: SignedRecord,
  cleared: readonly string[] = [],
): Promise<boolean> {
  // A second appeal waits here for the first, before it writes anything.
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
  if (cleared.length > 0)
    await trx.updateTable('appeals').set({ overturned: true }).where('record_id', 'in', cleared).execute();
  return true;
}
