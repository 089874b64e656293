import { sha256Hex } from '../../agents/canonical.ts';
import { recordTypedData } from '../../agents/records/eip712.ts';
import { makeRecord, type RecordDraft } from '../../agents/records/record.ts';
import type { SignedRecord } from '../../store/records/records.ts';
import type { SignTypedData } from '../services.ts';

/**
 * Derives a record id from what the record is about, so that an effect that runs twice files one record.
 * @param cause names the one thing that happened, such as a deal id
 */
export function recordIdOf(kind: string, cause: string): string {
  return `rec_${sha256Hex(`${kind}:${cause}`).slice(0, 32)}`;
}

/**
 * The id of the record of what one side determined about its deal.
 * @param round which time both sides determined
 */
export function dealRecordId(dealId: string, side: 'buyer' | 'seller', round = 1): string {
  return recordIdOf('determination', round === 1 ? `${dealId}:${side}` : `${dealId}:${side}:${round}`);
}

/** Makes, hashes and signs a record. The caller files it by `insertRecord` in its own transaction. */
export async function signRecord(
  sign: SignTypedData,
  draft: RecordDraft & { handle: string | null },
): Promise<SignedRecord> {
  const { handle, ...rest } = draft;
  const { record, hash } = makeRecord(rest);
  const signature = await sign(recordTypedData(record, hash));
  return { record, hash, signature, evidence: (draft.evidence as object | undefined) ?? null, handle };
}
