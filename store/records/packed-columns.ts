import type { PublicRecord } from '../../agents/records/record.ts';
import type { PaidAnswer } from '../json-columns.ts';
import { isPublicRecord, UnreadableRow } from '../parsed.ts';
import { type Packing, packText, unpackText } from './packed-text.ts';

/**
 * The columns that are packed: they are by far the largest, and no statement looks into them. What is read from them is
 * checked, as what comes from columns of JSON is.
 */

/** What a verdict was judged on, as its record keeps it. */
export function packEvidence(evidence: object | null): Buffer | null {
  return evidence === null ? null : packText(JSON.stringify(evidence), 'evidence');
}

/** @throws UnreadableRow when what is kept was not packed by {@link packEvidence}, or is damaged */
export function unpackEvidence(kept: Buffer | null): object | null {
  if (kept === null) return null;
  const evidence = readJson(kept, 'evidence', 'records.evidence');
  if (typeof evidence === 'object' && evidence !== null) return evidence;
  throw new UnreadableRow('records.evidence holds what it is not for');
}

/** The public record, whose hash stands beside it. */
export function packRecord(record: PublicRecord): Buffer {
  return packText(JSON.stringify(record), 'record');
}

/** @throws UnreadableRow when what is kept was not packed by {@link packRecord}, or is damaged */
export function unpackRecord(kept: Buffer): PublicRecord {
  const record = readJson(kept, 'record', 'records.body');
  if (isPublicRecord(record)) return record as PublicRecord;
  throw new UnreadableRow('records.body holds what it is not for');
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

function readJson(kept: Buffer, packing: Packing, column: string): unknown {
  const text = read(kept, packing, column);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableRow(`${column} cannot be read`, { cause });
  }
}

function read(kept: Buffer, packing: Packing, column: string): string {
  try {
    return unpackText(kept, packing);
  } catch (cause) {
    throw new UnreadableRow(`${column} cannot be read`, { cause });
  }
}
