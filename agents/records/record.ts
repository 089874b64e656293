import { documentHash, type Hex } from '../canonical.ts';

/** What a public record can be about; the kinds of activity in the API. */
export const RECORD_KINDS = [
  'agent-purchase',
  'deal-settled',
  'determination',
  'mandate-changed',
  'transferred',
  'order-refused',
  'flag-decision',
  'dispute-decision',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** A public record exactly as it is hashed, signed and anchored. It is JSON only, without bigint or Date. */
export interface PublicRecord {
  readonly recordId: string;
  readonly kind: RecordKind;
  /** ISO 8601, in UTC, to the second. */
  readonly issuedAt: string;
  /** What it is about: an address, an asset key, a deal id. Addresses in lower case. */
  readonly subject: string;
  /** The agents that it names, sorted. */
  readonly parties: readonly string[];
  readonly summary: string;
  readonly content: unknown;
  /** keccak-256 of the canonical evidence that is stored with it; null when it has none. */
  readonly evidenceHash: Hex | null;
}

export interface RecordDraft {
  readonly recordId: string;
  readonly kind: RecordKind;
  readonly issuedAt: Date;
  readonly subject: string;
  readonly parties?: readonly string[];
  readonly summary: string;
  readonly content: unknown;
  readonly evidence?: unknown;
}

/**
 * Makes the public record and its hash (keccak-256 over RFC 8785 canonical JSON). The same draft always gives the same
 * hash, whatever the order of its members.
 * @throws TypeError when the content or evidence is not JSON
 */
export function makeRecord(draft: RecordDraft): { record: PublicRecord; hash: Hex } {
  const record: PublicRecord = {
    recordId: draft.recordId,
    kind: draft.kind,
    issuedAt: wholeSecond(draft.issuedAt),
    subject: draft.subject,
    parties: [...new Set(draft.parties ?? [])].sort(),
    summary: draft.summary,
    content: draft.content,
    evidenceHash: draft.evidence === undefined ? null : documentHash(draft.evidence),
  };
  return { record, hash: documentHash(record) };
}

const MEMBERS = 'content,evidenceHash,issuedAt,kind,parties,recordId,subject,summary';

/** Whether it has the members of a record and no others, and a time to the second: a reader refuses any other. */
export function hasRecordForm(record: PublicRecord): boolean {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(record.issuedAt);
  return (
    isTime && !Number.isNaN(Date.parse(record.issuedAt)) && Object.keys(record).sort().join() === MEMBERS
  );
}

export function wholeSecond(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
