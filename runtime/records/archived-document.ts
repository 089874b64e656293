import type { RecordDocument } from '../../agents/records/verify.ts';
import type { Database } from '../../store/database.ts';
import { archivedAfter } from '../../store/records/archive.ts';
import { loadRecord, type StoredRecord } from '../../store/records/records.ts';
import { recordSignerOf } from './record-signer.ts';
import { whyWithheld } from './withheld.ts';

const AT_ONCE = 100;

/** The ledger on which records are anchored; null where it is not known, as the proof of a record does not need it. */
type Ledger = { readonly chainId: number; readonly contract: `0x${string}` } | null;

/** Every record of a month in the archive, as a document that proves itself without the service. */
export async function* archivedDocuments(
  db: Database,
  month: string,
  ledger: Ledger,
): AsyncGenerator<RecordDocument> {
  let after = '';
  for (;;) {
    const next = await archivedAfter(db, month, after, AT_ONCE);
    for (const recordId of next) {
      const stored = await loadRecord(db, recordId);
      if (stored !== null) yield await documentOf(db, stored, ledger);
    }
    const last = next.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

async function documentOf(db: Database, stored: StoredRecord, ledger: Ledger): Promise<RecordDocument> {
  const { record, hash, signature, evidence, batch } = stored;
  const withheld = await whyWithheld(db, stored);
  const tx = batch?.tx ?? null;
  return {
    recordId: record.recordId,
    record,
    hash,
    signature: { signer: await recordSignerOf(stored), value: signature },
    evidence: withheld === null ? evidence : null,
    ...(withheld === null ? {} : { withheld }),
    proof: batch === null ? null : { siblings: batch.proof, root: batch.root },
    ledger: ledger === null || tx === null ? null : { ...ledger, tx },
  };
}
