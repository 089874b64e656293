import { sql } from 'kysely';
import type { Hex } from '../../agents/canonical.ts';
import { Refusal } from '../../agents/errors.ts';
import { merkleTree } from '../../agents/records/merkle.ts';
import { type Withdrawal, withdrawalOf } from '../../agents/records/withdrawal.ts';
import { type Database, run, type Statement, type Trx } from '../database.ts';
import type { SignedRecord } from '../json-columns.ts';
import { monthOf, readArchived } from './archive.ts';
import { type PackedRecord, packAlone, packByAnother, packedByWhich, unpackKept } from './packed-columns.ts';

export type { SignedRecord } from '../json-columns.ts';

const FILE: Statement = {
  name: 'file-records',
  text: `
    with filed as (
      insert into records
        (record_id, kind, handle, partner, subject, summary, body, evidence, hash, signature, created_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[],
        $8::bytea[], $9::text[], $10::text[], $11::timestamptz[])
      on conflict (record_id) do nothing
      returning record_id, seq
    ), named as (
      insert into record_parties (handle, seq)
      select p.handle, filed.seq from unnest($12::text[], $13::text[]) as p (record_id, handle) join filed using (record_id)
    )
    select record_id from filed`,
};

/**
 * Files records in the caller's transaction, in one statement. Filing the same record again writes nothing, so an effect
 * may be repeated.
 * @returns for each, at its index, false when it was filed already
 * @throws when another record has the id of one
 */
export async function insertRecords(trx: Trx, signed: readonly SignedRecord[]): Promise<boolean[]> {
  const others = signed.map(({ record, handle }) =>
    [...new Set(record.parties)].filter((party) => party !== handle),
  );
  const further = signed.flatMap(({ record }, i) =>
    others[i]!.slice(1).map((party) => ({ recordId: record.recordId, party })),
  );
  const packed = signed.map((one) =>
    isLikeFirst(one, signed) ? packByAnother(one, signed[0]!) : packAlone(one),
  );
  const rows = await run<{ record_id: string }>(trx, FILE, [
    signed.map(({ record }) => record.recordId),
    signed.map(({ record }) => record.kind),
    signed.map(({ handle }) => handle),
    others.map(([partner]) => partner ?? null),
    signed.map(({ record }) => record.subject),
    signed.map(({ record }) => record.summary),
    packed.map(({ body }) => body),
    packed.map(({ evidence }) => evidence),
    signed.map(({ hash }) => hash),
    signed.map(({ signature }) => signature),
    signed.map(({ record }) => new Date(record.issuedAt)),
    further.map(({ recordId }) => recordId),
    further.map(({ party }) => party),
  ]);
  const fresh = new Set(rows.map((row) => row.record_id));
  const earlier = signed.filter(({ record }) => !fresh.has(record.recordId));
  if (earlier.length > 0) await requireSame(trx, earlier);
  // What the first says stands already, and may be written in another order there than the others were packed by.
  if (earlier[0] === signed[0])
    for (const one of signed) if (fresh.has(one.record.recordId)) await packAgain(trx, one);
  return signed.map(({ record }) => fresh.has(record.recordId));
}

/** Whether a record is packed by the first that is filed with it: both are determinations, and archived together. */
function isLikeFirst({ record, evidence }: SignedRecord, [first]: readonly SignedRecord[]): boolean {
  return (
    record.recordId !== first!.record.recordId &&
    record.kind === 'determination' &&
    first!.record.kind === 'determination' &&
    evidence !== null &&
    first!.evidence !== null &&
    monthOf(new Date(record.issuedAt)) === monthOf(new Date(first!.record.issuedAt))
  );
}

async function packAgain(trx: Trx, one: SignedRecord): Promise<void> {
  await trx.updateTable('records').set(packAlone(one)).where('record_id', '=', one.record.recordId).execute();
}

/** As {@link insertRecords}, of one. */
export async function insertRecord(trx: Trx, signed: SignedRecord): Promise<boolean> {
  const [fresh] = await insertRecords(trx, [signed]);
  return fresh!;
}

async function requireSame(trx: Trx, signed: readonly SignedRecord[]): Promise<void> {
  for (const { record, hash } of signed) {
    const held = await trx
      .selectFrom('records')
      .select('hash')
      .where('record_id', '=', record.recordId)
      .executeTakeFirstOrThrow();
    if (held.hash !== hash) throw new Error(`record ${record.recordId} stands already with another content`);
  }
}

export async function isFiled(db: Database | Trx, recordId: string): Promise<boolean> {
  const row = await db
    .selectFrom('records')
    .select('record_id')
    .where('record_id', '=', recordId)
    .executeTakeFirst();
  return row !== undefined;
}

export interface Batch {
  readonly batchId: bigint;
  readonly root: Hex;
  readonly size: number;
}

/**
 * Puts the records that are in no batch into a new one, the oldest first. Two simultaneous callers never take the same
 * record.
 * @returns null when there are none
 */
export async function closeBatch(db: Database, limit = 1000): Promise<Batch | null> {
  return await db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('records')
      .select(['record_id', 'hash'])
      .where('batch_id', 'is', null)
      .orderBy('seq')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    if (rows.length === 0) return null;
    const { root } = merkleTree(rows.map((r) => r.hash as Hex));
    const { batch_id } = await trx
      .insertInto('batches')
      .values({ root, size: rows.length, status: 'open', tx: null, block: null, anchored_at: null })
      .returning('batch_id')
      .executeTakeFirstOrThrow();
    const ids = rows.map((row) => row.record_id);
    await sql`
      update records r set batch_id = ${batch_id}, leaf_index = leaf.n - 1
      from unnest(${ids}::text[]) with ordinality as leaf(record_id, n)
      where r.record_id = leaf.record_id`.execute(trx);
    return { batchId: batch_id, root, size: rows.length };
  });
}

/** Batches that are sealed and not yet seen on chain, the oldest first. */
export async function openBatches(db: Database): Promise<Batch[]> {
  const rows = await db
    .selectFrom('batches')
    .select(['batch_id', 'root', 'size'])
    .where('status', '=', 'open')
    .orderBy('batch_id')
    .execute();
  return rows.map((r) => ({ batchId: r.batch_id, root: r.root as Hex, size: r.size }));
}

/** Marks a batch as seen on chain. Repeated calls change nothing. @returns false when it was anchored already */
export async function markAnchored(
  trx: Trx,
  batchId: bigint,
  seen: { tx: string | null; block: bigint | null; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('batches')
    .set({ status: 'anchored', tx: seen.tx, block: seen.block, anchored_at: seen.at })
    .where('batch_id', '=', batchId)
    .where('status', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export interface StoredRecord extends SignedRecord {
  readonly createdAt: Date;
  /** Its place among all records, from 1. */
  readonly seq: bigint;
  readonly batch: {
    readonly batchId: bigint;
    readonly root: Hex;
    readonly size: number;
    readonly anchored: boolean;
    readonly tx: string | null;
    readonly block: bigint | null;
    readonly anchoredAt: Date | null;
    readonly leafIndex: number;
    readonly proof: readonly Hex[];
  } | null;
}

/**
 * A record with its evidence and, once it is in a batch, the proof against that batch's root; of the archive as of the
 * present.
 * @throws Refusal not-found for one whose month was taken out of the archive
 */
export async function loadRecord(db: Database, recordId: string): Promise<StoredRecord | null> {
  const row = await db
    .selectFrom('records')
    .leftJoin('batches', 'batches.batch_id', 'records.batch_id')
    .selectAll('records')
    .select(['root', 'size', 'status', 'tx', 'block', 'anchored_at'])
    .where('record_id', '=', recordId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const kept = await keptOf(db, row);
  if (kept === null)
    throw new Refusal(
      'not-found',
      `What the record "${recordId}" says was taken out of the archive: its operator has it in a file.`,
    );
  const { record, evidence } = unpackKept(kept, await packedBy(db, kept));
  const signed = {
    record,
    hash: row.hash as Hex,
    signature: row.signature as Hex,
    evidence,
    handle: row.handle,
    createdAt: row.created_at,
    seq: row.seq,
  };
  if (row.batch_id === null || row.leaf_index === null) return { ...signed, batch: null };
  const leaves = await db
    .selectFrom('records')
    .select('hash')
    .where('batch_id', '=', row.batch_id)
    .orderBy('leaf_index')
    .execute();
  const tree = merkleTree(leaves.map((l) => l.hash as Hex));
  return {
    ...signed,
    batch: {
      batchId: row.batch_id,
      root: row.root as Hex,
      size: row.size!,
      anchored: row.status === 'anchored',
      tx: row.tx,
      block: row.block,
      anchoredAt: row.anchored_at,
      leafIndex: row.leaf_index,
      proof: tree.proof(row.leaf_index),
    },
  };
}

/** What a record says and was judged on, packed, wherever it is kept; null where its month was taken out. */
async function keptOf(
  db: Database,
  row: { record_id: string; created_at: Date; body: Buffer | null; evidence: Buffer | null },
): Promise<PackedRecord | null> {
  const { body, evidence } = row;
  return body === null ? await readArchived(db, row.record_id, row.created_at) : { body, evidence };
}

/** The record that another one was packed by. */
async function packedBy(db: Database, kept: PackedRecord): Promise<PackedRecord | null> {
  const other = packedByWhich(kept);
  if (other === null) return null;
  const row = await db
    .selectFrom('records')
    .select(['record_id', 'created_at', 'body', 'evidence'])
    .where('record_id', '=', other)
    .executeTakeFirst();
  return row === undefined ? null : await keptOf(db, row);
}

/** One row of an agent's activity; lists have the newest first. */
export interface ActivityRow {
  readonly recordId: string;
  readonly kind: string;
  readonly state: 'inscribing' | 'inscribed' | 'anchored';
  readonly at: Date;
  readonly subject: string;
  readonly hash: Hex;
  readonly summary: string;
  readonly batch: { readonly batchId: bigint; readonly tx: string | null } | null;
  /** Left out where it was not withdrawn. */
  readonly withdrawn?: Withdrawal;
}

interface ActivityTuple {
  readonly record_id: string;
  readonly kind: string;
  readonly subject: string;
  readonly hash: string;
  readonly summary: string;
  readonly created_at: Date;
  readonly batch_id: bigint | null;
  readonly status: 'open' | 'anchored' | null;
  readonly tx: string | null;
  readonly retracted: boolean;
  readonly overturned: boolean;
}

/** Each part is read from its own index, and no further than the page. */
const ACTIVITY: Statement = {
  name: 'activity-of',
  text: `
    with start as (
      select case when $2::text is null then 9223372036854775807 else (select seq from records where record_id = $2) end as seq
    ), named as (
      (select seq from records where handle = $1 and seq < (select seq from start) order by seq desc limit $3::int + $4::int)
      union
      (select seq from records where partner = $1 and seq < (select seq from start) order by seq desc limit $3::int + $4::int)
      union
      (select seq from record_parties where handle = $1 and seq < (select seq from start) order by seq desc limit $3::int + $4::int)
    )
    select r.record_id, r.kind, r.subject, r.hash, r.summary, r.created_at, r.batch_id, b.status, b.tx,
      x.record_id is not null as retracted, a.record_id is not null as overturned
    from (select seq from named order by seq desc limit $3::int offset $4::int) n
      join records r on r.seq = n.seq left join batches b on b.batch_id = r.batch_id
      left join record_retractions x on x.record_id = r.record_id
      left join appeals a on a.record_id = r.record_id and a.overturned
    order by r.seq desc`,
};

/** The records that name an agent: `inscribing` until sealed, `inscribed` in a batch, `anchored` on chain. */
export async function activityOf(
  db: Database,
  handle: string,
  page: {
    /** Starts after this record, whatever was filed since. */
    after?: string;
    limit: number;
    offset: number;
  },
): Promise<ActivityRow[]> {
  const { after, limit, offset } = page;
  const rows = await run<ActivityTuple>(db, ACTIVITY, [handle, after ?? null, limit, offset]);
  return rows.map((r) => {
    const withdrawn = withdrawalOf({ ...(r.retracted && { retracted: {} }), overturned: r.overturned });
    return {
      recordId: r.record_id,
      kind: r.kind,
      state: r.batch_id === null ? 'inscribing' : r.status === 'anchored' ? 'anchored' : 'inscribed',
      at: r.created_at,
      subject: r.subject,
      hash: r.hash as Hex,
      summary: r.summary,
      batch: r.batch_id === null ? null : { batchId: r.batch_id, tx: r.tx },
      ...(withdrawn !== null && { withdrawn }),
    };
  });
}

/**
 * The newest record of what an agent did that was not withdrawn, for the home page. Records of what strangers asked about
 * are never listed; they can only be found by their ids.
 */
export async function latestAgentRecord(db: Database): Promise<{ recordId: string; summary: string } | null> {
  const row = await db
    .selectFrom('records as r')
    .leftJoin('record_retractions as x', 'x.record_id', 'r.record_id')
    .leftJoin('appeals as a', (on) =>
      on.onRef('a.record_id', '=', 'r.record_id').on('a.overturned', '=', true),
    )
    .select(['r.record_id', 'r.summary'])
    .where('r.handle', 'is not', null)
    .where('x.record_id', 'is', null)
    .where('a.record_id', 'is', null)
    .orderBy('r.seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { recordId: row.record_id, summary: row.summary };
}
