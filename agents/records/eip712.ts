import type { Hex } from '../canonical.ts';
import type { PublicRecord } from './record.ts';

/** The EIP-712 typed data that the service signs for a record. Any EIP-712 wallet library can verify it. */
export interface RecordTypedData {
  readonly domain: { readonly name: string; readonly version: string };
  readonly types: typeof RECORD_TYPES;
  readonly primaryType: 'Record';
  readonly message: {
    readonly recordId: string;
    readonly kind: string;
    readonly hash: Hex;
    readonly issuedAt: bigint;
  };
}

const RECORD_TYPES = {
  Record: [
    { name: 'recordId', type: 'string' },
    { name: 'kind', type: 'string' },
    { name: 'hash', type: 'bytes32' },
    { name: 'issuedAt', type: 'uint64' },
  ],
} as const;

/** `issuedAt` is in unix seconds. */
export function recordTypedData(record: PublicRecord, hash: Hex): RecordTypedData {
  return {
    domain: { name: 'SafeHandshakeRecord', version: '1' },
    types: RECORD_TYPES,
    primaryType: 'Record',
    message: {
      recordId: record.recordId,
      kind: record.kind,
      hash,
      issuedAt: BigInt(Math.floor(Date.parse(record.issuedAt) / 1000)),
    },
  };
}
