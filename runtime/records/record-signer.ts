import { type Address, hashTypedData, recoverAddress } from 'viem';
import { recordTypedData } from '../../agents/records/eip712.ts';
import type { StoredRecord } from '../../store/records/records.ts';

/** Who signed a record: the key of its own time, as a record outlives the key that signs today's. */
export function recordSignerOf({
  record,
  hash,
  signature,
}: Pick<StoredRecord, 'record' | 'hash' | 'signature'>): Promise<Address> {
  return recoverAddress({ hash: hashTypedData(recordTypedData(record, hash)), signature });
}
