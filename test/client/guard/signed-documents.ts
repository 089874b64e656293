import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { recordTypedData } from '../../../agents/records/eip712.ts';
import { makeRecord } from '../../../agents/records/record.ts';

const SERVICE = privateKeyToAccount(generatePrivateKey());
const STRANGER = privateKeyToAccount(generatePrivateKey());

const CHAIN = 84532;

/** Whose records count. */
export const SIGNER = SERVICE.address;

interface Kept {
  /** The chain that it is about; that of the stage when left out, null for a record that names none. */
  readonly chainId?: number | null;
  readonly hoursAgo?: number;
  /** What is not the service's own about it. */
  readonly forged?: 'signer' | 'verdict';
}

/** The document of a determination on an address, as `GET /records/{id}` serves it before it is anchored. */
export function documentOn(subject: string, verdict: 'CLEAN' | 'FLAGGED', kept: Kept = {}): Promise<object> {
  return signed(subject, verdict, kept);
}

async function signed(subject: string, verdict: string, kept: Kept): Promise<object> {
  const { hoursAgo = 0, forged, chainId = CHAIN } = kept;
  const about = chainId === null ? {} : { chainId };
  const said = forged === 'verdict' ? 'FLAGGED' : verdict;
  const draft = {
    recordId: `rec_${subject.slice(2, 8)}${hoursAgo}`,
    kind: 'determination' as const,
    issuedAt: new Date(Date.now() - hoursAgo * 3_600_000),
    subject: subject.toLowerCase(),
    summary: said,
  };
  const { record, hash } = makeRecord({ ...draft, content: { record: { ...about, verdict: said } } });
  const account = forged === 'signer' ? STRANGER : SERVICE;
  const value: Hex = await account.signTypedData(recordTypedData(record, hash));
  const shown = forged === 'verdict' ? { ...record, content: { record: { ...about, verdict } } } : record;
  const signature = { signer: account.address, value };
  return {
    recordId: record.recordId,
    record: shown,
    hash,
    signature,
    evidence: null,
    proof: null,
    ledger: null,
  };
}
