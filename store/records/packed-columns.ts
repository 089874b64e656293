import type { PublicRecord } from '../../agents/records/record.ts';
import type { PaidAnswer } from '../json-columns.ts';
import { isPublicRecord, UnreadableRow } from '../parsed.ts';
import { besideWhich, type Packing, packBeside, packText, unpackText } from './packed-text.ts';

/**
 * The columns that are packed: they are by far the largest, and no statement looks into them. What is read from them is
 * checked, as what comes from columns of JSON is.
 */

/** A record, and what its verdict was judged on. */
export interface RecordTexts {
  readonly record: PublicRecord;
  readonly evidence: object | null;
}

/** The same as records keep it. */
export interface PackedRecord {
  readonly body: Buffer;
  readonly evidence: Buffer | null;
}

/** What a verdict was judged on, as its record keeps it. */
export function packEvidence(evidence: object | null): Buffer | null {
  return evidence === null ? null : packText(JSON.stringify(evidence), 'evidence');
}

/** @throws UnreadableRow when what is kept was not packed by {@link packEvidence}, or is damaged */
export function unpackEvidence(kept: Buffer | null, other: Buffer | null = null): object | null {
  if (kept === null) return null;
  const evidence = readJson(kept, 'evidence', 'records.evidence', other);
  if (typeof evidence === 'object' && evidence !== null) return evidence;
  throw new UnreadableRow('records.evidence holds what it is not for');
}

/** The public record, whose hash stands beside it. */
export function packRecord(record: PublicRecord): Buffer {
  return packText(JSON.stringify(record), 'record');
}

/** @throws UnreadableRow when what is kept was not packed by {@link packRecord}, or is damaged */
export function unpackRecord(kept: Buffer, other: Buffer | null = null): PublicRecord {
  const record = readJson(kept, 'record', 'records.body', other);
  if (isPublicRecord(record)) return record as PublicRecord;
  throw new UnreadableRow('records.body holds what it is not for');
}

/** A record with its evidence, packed alone. */
export function packAlone({ record, evidence }: RecordTexts): PackedRecord {
  return { body: packRecord(record), evidence: packEvidence(evidence) };
}

/**
 * A record with its evidence, packed by another record of the same kind, which is packed alone and kept for as long.
 * Both sides of a deal determine the same, mostly of the same.
 */
export function packByAnother({ record, evidence }: RecordTexts, other: RecordTexts): PackedRecord {
  const id = other.record.recordId;
  return {
    body: packBeside(JSON.stringify(record), { id, text: JSON.stringify(other.record) }),
    evidence:
      evidence === null || other.evidence === null
        ? packEvidence(evidence)
        : packBeside(JSON.stringify(evidence), { id, text: JSON.stringify(other.evidence) }),
  };
}

/** The id of the record without which one cannot be read; null where there is none. */
export function packedByWhich({ body }: Pick<PackedRecord, 'body'>): string | null {
  return besideWhich(body);
}

/**
 * @param other what is kept of the record that {@link packedByWhich} names; null where it names none
 * @throws UnreadableRow when it is damaged, or the other is not there, or not what it was packed by
 */
export function unpackKept(kept: PackedRecord, other: PackedRecord | null): RecordTexts {
  return {
    record: unpackRecord(kept.body, other?.body),
    evidence: unpackEvidence(kept.evidence, other?.evidence),
  };
}

/** An answer that was paid for: its status, and its body as it is sent. */
export function packAnswer({ status, body }: PaidAnswer): Buffer {
  return packText(`${status}\n${body}`, 'record');
}

/** @throws UnreadableRow when what is kept was not packed by {@link packAnswer}, or is damaged */
export function unpackAnswer(kept: Buffer): PaidAnswer {
  const text = read(kept, 'record', 'payments.response');
  const end = text.indexOf('\n');
  const status = text.slice(0, end);
  if (end < 0 || !/^[1-5]\d\d$/.test(status))
    throw new UnreadableRow('payments.response holds what it is not for');
  return { status: Number(status), body: text.slice(end + 1) };
}

function readJson(kept: Buffer, packing: Packing, column: string, other: Buffer | null): unknown {
  const text = read(kept, packing, column, other);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableRow(`${column} cannot be read`, { cause });
  }
}

function read(kept: Buffer, packing: Packing, column: string, other: Buffer | null = null): string {
  try {
    return unpackText(kept, packing, other === null ? null : unpackText(other, packing));
  } catch (cause) {
    throw new UnreadableRow(`${column} cannot be read`, { cause });
  }
}
