import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { UnreadableRow } from '../parsed.ts';

/** Little is gained above it, and a paid answer waits. */
const LEVEL = 3;

/**
 * Evidence as it is kept: its JSON, deflated (RFC 1951), about a fifth of it. It is by far the largest part of a record,
 * and no statement looks into it.
 */
export function packEvidence(evidence: object | null): Buffer | null {
  return evidence === null ? null : deflateRawSync(JSON.stringify(evidence), { level: LEVEL });
}

/** @throws UnreadableRow when what is kept was not packed by {@link packEvidence}, or is damaged */
export function unpackEvidence(kept: Buffer | null): object | null {
  if (kept === null) return null;
  let evidence: unknown;
  try {
    evidence = JSON.parse(inflateRawSync(kept).toString());
  } catch (cause) {
    throw new UnreadableRow('records.evidence cannot be read', { cause });
  }
  if (typeof evidence !== 'object' || evidence === null)
    throw new UnreadableRow('records.evidence holds what it is not for');
  return evidence;
}
