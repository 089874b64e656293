import { sql } from 'kysely';
import { canonicalJson, type Hex, type Json, sha256Hex } from '../../agents/canonical.ts';
import { merkleTree } from '../../agents/records/merkle.ts';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';
import type { Database, Trx } from '../database.ts';

/** Who acted: by a key over HTTP, or by a command of somebody who may use the database. */
export type OperatorActor =
  | { readonly kind: 'key'; readonly id: string; readonly name: string }
  | { readonly kind: 'command'; readonly user: string; readonly host: string };

export interface OperatorAct {
  readonly by: OperatorActor;
  /** Such as `agent suspend` or `POST /register/:name`. */
  readonly act: string;
  /** What it concerns; null where the act names nothing. */
  readonly subject: string | null;
  /** No secret: anybody who may read the database reads it. */
  readonly detail: { readonly [key: string]: Json };
}

export interface LoggedAct extends OperatorAct {
  readonly seq: number;
  /** ISO 8601, by the database's clock. */
  readonly at: string;
  /** Of the entry before; of the first, zeros. */
  readonly previous: string;
}

export interface LogEntry {
  readonly seq: bigint;
  /** Canonical JSON of a `LoggedAct`. */
  readonly body: string;
  /** sha-256 of the body, hex. */
  readonly hash: string;
}

export const BEFORE_FIRST = '0'.repeat(64);
const PAGE = 1_000;

/**
 * Writes an act down, before it is done: one that fails afterwards stands there, and one that is not there was not done.
 * In a transaction of its own unless one is given; then entries wait for each other until it ends.
 */
export async function logOperatorAct(db: Database | Trx, act: OperatorAct): Promise<void> {
  if (!db.isTransaction) return await db.transaction().execute((trx) => append(trx, act));
  await append(db as Trx, act);
}

async function append(trx: Trx, { by, act, subject, detail }: OperatorAct): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.operatorLog})`.execute(trx);
  const last = await lastEntry(trx);
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(trx);
  const seq = (last?.seq ?? 0n) + 1n;
  const logged: LoggedAct = {
    ...{ seq: Number(seq), at: rows[0]!.at.toISOString(), by, act, subject, detail },
    previous: last?.hash ?? BEFORE_FIRST,
  };
  const body = canonicalJson(logged);
  await trx
    .insertInto('operator_log')
    .values({ seq, body, hash: sha256Hex(body) })
    .execute();
}

/** The newest entry; null when there is none. */
export async function lastEntry(db: Database | Trx): Promise<LogEntry | null> {
  const row = await db
    .selectFrom('operator_log')
    .selectAll()
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Every entry, the oldest first. */
export async function* logEntries(db: Database): AsyncGenerator<LogEntry> {
  for (let after = 0n; ; ) {
    const rows = await db
      .selectFrom('operator_log')
      .selectAll()
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.seq;
  }
}

/**
 * True for the root that the records of a batch hash to. The word of a batch alone counts for nothing: whoever can cut off
 * the log's end can write a batch down.
 */
export async function isBatchRoot(db: Database, root: string): Promise<boolean> {
  const leaves = await db
    .selectFrom('batches')
    .innerJoin('records', 'records.batch_id', 'batches.batch_id')
    .select(['batches.batch_id', 'records.hash'])
    .where('batches.root', '=', root)
    .orderBy('batches.batch_id')
    .orderBy('records.leaf_index')
    .execute();
  const batches = new Map<bigint, Hex[]>();
  for (const { batch_id, hash } of leaves) {
    const hashes = batches.get(batch_id) ?? [];
    hashes.push(hash as Hex);
    batches.set(batch_id, hashes);
  }
  return [...batches.values()].some((hashes) => merkleTree(hashes).root === root);
}
