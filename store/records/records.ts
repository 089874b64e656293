import { sql } from 'kysely';
import type { Hex } from '../../agents/canonical.ts';
import { Refusal } from '../../agents/errors.ts';
import { merkleTree } from '../../agents/records/merkle.ts';
import type { Database, Trx } from '../database.ts';
import type { SignedRecord } from '../json-columns.ts';
import { parsed } from '../parsed.ts';
import { packEvidence, unpackEvidence } from './packed-evidence.ts';

export type { SignedRecord } from '../json-columns.ts';

/**
 * Files a record in the caller's transaction. Filing the same record again writes nothing, so an effect may be
 * repeated.
 * @returns false when it was filed already
 * @throws when another record has the id
 */
export async function insertRecord(trx: Trx, signed: SignedRecord): Promise<boolean> {
  const { record, hash, signature, evidence, handle } = signed;
  const inserted = await trx
    .insertInto('records')
    .values({
      record_id: record.recordId,
      kind: record.kind,
      handle,
      subject: record.subject,
      summary: record.summary,
      body: JSON.stringify(record),
      evidence: packEvidence(evidence),
      hash,
      signature,
      created_at: new Date(record.issuedAt),
    })
    .onConflict((conflict) => conflict.column('record_id').doNothing())
    .returning('record_id')
    .executeTakeFirst();
  if (inserted === undefined) {
    const { hash: held } = await trx
      .selectFrom('records')
      .select('hash')
      .where('record_id', '=', record.recordId)
      .executeTakeFirstOrThrow();
    if (held !== hash) throw new Error(`record ${record.recordId} stands already with another content`);
    return false;
  }
  const handles = [...new Set([...record.parties, ...(handle === null ? [] : [handle])])];
  if (handles.length > 0) {
    await trx
      .insertInto('record_parties')
      .values(handles.map((h) => ({ record_id: record.recordId, handle: h })))
      .execute();
  }
  return true;
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
    .leftJoin('record_archive', (join) =>
      join
        .onRef('record_archive.record_id', '=', 'records.record_id')
        // By which its month is found.
        .onRef('record_archive.created_at', '=', 'records.created_at'),
    )
    .selectAll('records')
    .select(['root', 'size', 'status', 'tx', 'block', 'anchored_at'])
    .select(['record_archive.body as archived', 'record_archive.evidence as archived_evidence'])
    .where('records.record_id', '=', recordId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const body = parsed('records', { body: row.body ?? row.archived }).body;
  if (body === null)
    throw new Refusal(
      'not-found',
      `What the record "${recordId}" says was taken out of the archive: its operator has it in a file.`,
    );
  const signed = {
    record: body,
    hash: row.hash as Hex,
    signature: row.signature as Hex,
    evidence: unpackEvidence(row.evidence ?? row.archived_evidence),
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
}

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
  let named = db
    .selectFrom('record_parties')
    .innerJoin('records', 'records.record_id', 'record_parties.record_id')
    .leftJoin('batches', 'batches.batch_id', 'records.batch_id')
    .select(['records.record_id', 'kind', 'subject', 'hash', 'summary', 'records.created_at'])
    .select(['records.batch_id', 'batches.status', 'batches.tx'])
    .where('record_parties.handle', '=', handle);
  if (page.after !== undefined) {
    named = named.where(
      'records.seq',
      '<',
      db.selectFrom('records as r').select('r.seq').where('r.record_id', '=', page.after),
    );
  }
  const rows = await named.orderBy('records.seq', 'desc').limit(page.limit).offset(page.offset).execute();
  return rows.map((r) => ({
    recordId: r.record_id,
    kind: r.kind,
    state: r.batch_id === null ? 'inscribing' : r.status === 'anchored' ? 'anchored' : 'inscribed',
    at: r.created_at,
    subject: r.subject,
    hash: r.hash as Hex,
    summary: r.summary,
    batch: r.batch_id === null ? null : { batchId: r.batch_id, tx: r.tx },
  }));
}

/**
 * The newest record of what an agent did, for the home page. Records of what strangers asked about are never listed;
 * they can only be found by their ids.
 */
export async function latestAgentRecord(db: Database): Promise<{ recordId: string; summary: string } | null> {
  const row = await db
    .selectFrom('records')
    .select(['record_id', 'summary'])
    .where('handle', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { recordId: row.record_id, summary: row.summary };
}
