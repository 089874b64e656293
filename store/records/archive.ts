import { sql } from 'kysely';
import { moveCursor, readCursor } from '../certificates/certificates.ts';
import { type Database, waitForLocks } from '../database.ts';
import { actAsOwnerOf } from '../parts.ts';

/** The cursor that keeps the place of the last record that is in the archive. */
const CURSOR = 'record-archive';

/** The part of the archive for one month, such as `2026-11`. */
const partOf = (month: string): string => `record_archive_${month.replace('-', '')}`;

/**
 * Moves what the next records say, and what they were judged on, to the archive: those filed before a time whose batch is
 * on chain, in their order. What proves them stays. It ends at the first that is too young or not anchored.
 * @returns how many were moved
 */
export async function archiveRecords(db: Database, before: Date, limit = 500): Promise<number> {
  const from = (await readCursor(db, CURSOR)) ?? 0n;
  const rows = await db
    .selectFrom('records')
    .leftJoin('batches', 'batches.batch_id', 'records.batch_id')
    .select(['records.seq', 'records.created_at', 'batches.status'])
    .where('records.seq', '>', from)
    .orderBy('records.seq')
    .limit(limit)
    .execute();
  const end = rows.findIndex((row) => row.status !== 'anchored' || row.created_at >= before);
  const due = end === -1 ? rows : rows.slice(0, end);
  const last = due.at(-1);
  if (last === undefined) return 0;
  for (const month of new Set(due.map((row) => monthOf(row.created_at)))) await makePart(db, month);
  await db.transaction().execute(async (trx) => {
    const moved = sql`seq > ${from} and seq <= ${last.seq} and body is not null`;
    await sql`insert into record_archive (record_id, created_at, body, evidence)
      select record_id, created_at, body, evidence from records where ${moved}`.execute(trx);
    await sql`update records set body = null, evidence = null where ${moved}`.execute(trx);
    await moveCursor(trx, CURSOR, last.seq);
  });
  return due.length;
}

/** What a record says and was judged on, packed; null where its month was taken out. */
export async function readArchived(
  db: Database,
  recordId: string,
  createdAt: Date,
): Promise<{ readonly body: Buffer; readonly evidence: Buffer | null } | null> {
  const row = await db
    .selectFrom('record_archive')
    .select(['body', 'evidence'])
    .where('record_id', '=', recordId)
    // By which its month is found.
    .where('created_at', '=', createdAt)
    .executeTakeFirst();
  return row ?? null;
}

/** The UTC month that a record belongs to, such as `2026-11`. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** A month begins where it does in UTC, whatever the time zone of the server. */
function boundsOf(month: string): readonly [string, string] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const first = (n: number): string => new Date(Date.UTC(year, n, 1)).toISOString();
  return [first(number - 1), first(number)];
}

async function makePart(db: Database, month: string): Promise<void> {
  const [from, to] = boundsOf(month).map((at) => sql.lit(at));
  await db.transaction().execute(async (trx) => {
    await actAsOwnerOf(trx, 'record_archive');
    await sql`create table if not exists ${sql.table(partOf(month))} partition of record_archive
      for values from (${from}) to (${to})`.execute(trx);
  });
}

/** The months in the archive, the oldest first, such as `2026-11`. */
export async function archivedMonths(db: Database): Promise<string[]> {
  const { rows } = await sql<{ part: string }>`
    select substring(c.relname from '[0-9]+$') as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'record_archive'::regclass order by 1`.execute(db);
  return rows.map(({ part }) => `${part.slice(0, -2)}-${part.slice(-2)}`);
}

/** The records of a month in the archive by their ids, after one of them, at most `limit`. */
export async function archivedAfter(
  db: Database,
  month: string,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select record_id as id from ${sql.table(partOf(month))} where record_id > ${after}
    order by record_id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Takes a month out of the archive for good: whoever has no copy of it has lost what its records say.
 * @param written how many of its records the copy holds
 * @returns false when the month holds another number by now, or records of it are not in the archive yet, which cannot be
 *   read without those that they are packed by; nothing was taken out then
 */
export async function dropArchived(db: Database, month: string, written: number): Promise<boolean> {
  const part = sql.table(partOf(month));
  const [from, to] = boundsOf(month).map((at) => new Date(at));
  return await db.transaction().execute(async (trx) => {
    await waitForLocks(trx, null);
    const { rows: left } = await sql`select from records
      where created_at >= ${from} and created_at < ${to} and body is not null limit 1`.execute(trx);
    if (left.length > 0) return false;
    // In the order in which who archives takes them; from here on nothing is added.
    await sql`lock table only record_archive in access exclusive mode`.execute(trx);
    await sql`lock table ${part} in access exclusive mode`.execute(trx);
    const { rows } = await sql<{ held: bigint }>`select count(*) as held from ${part}`.execute(trx);
    if (rows[0]?.held !== BigInt(written)) return false;
    await sql`alter table record_archive detach partition ${part}`.execute(trx);
    await sql`drop table ${part}`.execute(trx);
    return true;
  });
}
