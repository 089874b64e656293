import type { FraudKind, OutcomeCount, SaidOutcome, Verdicts } from '../../agents/records/outcome.ts';
import type { Database, Trx } from '../database.ts';

/** What turned out of the determination of a record, as one signer says. */
export interface FiledOutcome extends SaidOutcome {
  readonly recordId: string;
  /** A wallet in lower case, or the operator. */
  readonly signer: string;
  readonly filedAt: Date;
}

/**
 * Files an outcome, for good. The first of a signer on a record counts.
 * @param verdicts those of the record that it speaks of
 * @returns false when the signer had said something of this record already, and nothing was written
 */
export async function fileOutcome(trx: Trx, filed: FiledOutcome, verdicts: Verdicts): Promise<boolean> {
  const row = await trx
    .insertInto('record_outcomes')
    .values({
      record_id: filed.recordId,
      signer: filed.signer,
      outcome: filed.outcome,
      kind: filed.kind,
      evidence: [...filed.evidence],
      verdicts: JSON.stringify(verdicts),
      filed_at: filed.filedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('signer')
    .executeTakeFirst();
  return row !== undefined;
}

/** The outcomes of a record, the oldest first. @param limit at most so many */
export async function outcomesOf(
  db: Database | Trx,
  recordId: string,
  limit: number,
): Promise<FiledOutcome[]> {
  const rows = await outcomes(db).where('record_id', '=', recordId).limit(limit).execute();
  return rows.map(filedOutcome);
}

/** @returns null where this signer said nothing of the record */
export async function outcomeBy(
  db: Database | Trx,
  recordId: string,
  signer: string,
): Promise<FiledOutcome | null> {
  const row = await outcomes(db)
    .where('record_id', '=', recordId)
    .where('signer', '=', signer)
    .executeTakeFirst();
  return row === undefined ? null : filedOutcome(row);
}

const outcomes = (db: Database | Trx) =>
  db
    .selectFrom('record_outcomes')
    .select(['record_id', 'signer', 'outcome', 'kind', 'evidence', 'filed_at'])
    .orderBy('filed_at')
    .orderBy('signer');

function filedOutcome(row: {
  readonly record_id: string;
  readonly signer: string;
  readonly outcome: string;
  readonly kind: string | null;
  readonly evidence: readonly string[];
  readonly filed_at: Date;
}): FiledOutcome {
  return {
    recordId: row.record_id,
    signer: row.signer,
    outcome: row.outcome as FiledOutcome['outcome'],
    kind: row.kind as FraudKind | null,
    evidence: row.evidence,
    filedAt: row.filed_at,
  };
}

/** The times at which a signer filed outcomes since then, the oldest first. @param limit at most so many, the newest */
export async function outcomesSince(
  db: Database,
  signer: string,
  since: Date,
  limit: number,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('record_outcomes')
    .select('filed_at')
    .where('signer', '=', signer)
    .where('filed_at', '>', since)
    .orderBy('filed_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((r) => r.filed_at).reverse();
}

/** Counts records by determination, verdict and who says what turned out; kept as outcomes are filed. */
export async function countOutcomes(db: Database): Promise<OutcomeCount[]> {
  const rows = await db
    .selectFrom('outcome_counts')
    .selectAll()
    .orderBy('determination')
    .orderBy('verdict')
    .orderBy('by')
    .execute();
  return rows as OutcomeCount[];
}
