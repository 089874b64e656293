import { recoverTypedDataAddress } from 'viem/utils';
import type { Hex } from '../agents/canonical.ts';
import {
  type IsSignedBy,
  NO_BATCH,
  type RecordDocument,
  type VerifyStep,
  verifySteps,
} from '../agents/records/verify.ts';

import { type Withdrawal, withdrawalOf } from '../agents/records/withdrawal.ts';

export { listSilences } from '../agents/determinations/panel/list-silence.ts';
export { verifyMerkleProof } from '../agents/records/merkle.ts';
export type { RecordDocument, VerifyStep } from '../agents/records/verify.ts';
export type { Withdrawal } from '../agents/records/withdrawal.ts';

export interface Trusted {
  /** Who must have signed. Without one, the signer that the document names is checked: ask who that is. */
  readonly signer?: string;
  /** A root that was read from the ledger contract by a node of your own; the record must stand under it. */
  readonly root?: string;
  /** Accept a record that stands in no batch yet: it is signed, and not anchored. */
  readonly unanchored?: boolean;
}

export interface Verified {
  readonly ok: boolean;
  readonly recordId: string;
  readonly signer: string;
  /** What the record is about: an address, in lower case. */
  readonly subject: string;
  /** Of a determination; null where the record is of another kind, or does not hold. */
  readonly verdict: 'CLEAN' | 'FLAGGED' | null;
  /** The chain on which the subject was determined on; null where the record names none, or does not hold. */
  readonly chainId: number | null;
  readonly issuedAt: Date;
  /** Under which it stands; null before it is sealed in a batch. Ask the ledger contract for it: `anchoredAt(root)`. */
  readonly root: string | null;
  /** That the service took it back, as the document says; such a record is not `ok`. A document kept from before cannot say it. */
  readonly withdrawn: Withdrawal | null;
  /** The checks in order, each with its result. */
  readonly steps: readonly VerifyStep[];
}

/**
 * Verifies a record without asking anybody: its hash, its evidence, the proofs that lists do not name what they did
 * not, the signature (EIP-712), the Merkle path, and that it was not taken back.
 * @param document what `GET /records/{id}` serves, in whole, from wherever it was kept
 */
export async function verifyRecord(document: unknown, trusted: Trusted = {}): Promise<Verified> {
  const given = documentOf(document);
  if (given === null) return nothing(document);
  const signer = (trusted.signer ?? given.signature.signer) as Hex;
  const all = await verifySteps(given, isSignedBy, signer);
  const steps = trusted.unanchored === true ? all.filter((s) => s.ok || s.step !== NO_BATCH) : all;
  if (trusted.root !== undefined) {
    const ok = given.proof?.root.toLowerCase() === trusted.root.toLowerCase();
    steps.push({ step: `the root is ${trusted.root}`, ok });
  }
  const ok = steps.every((s) => s.ok);
  const { recordId, subject, issuedAt } = given.record;
  return {
    ok,
    recordId,
    signer,
    subject,
    verdict: ok ? verdictOf(given) : null,
    chainId: ok ? chainOf(given) : null,
    issuedAt: new Date(issuedAt),
    root: given.proof?.root ?? null,
    withdrawn: withdrawalOf(given),
    steps,
  };
}

const isSignedBy: IsSignedBy = async (signer, data, signature) => {
  const found = await recoverTypedDataAddress({ ...data, signature });
  return found.toLowerCase() === signer.toLowerCase();
};

function documentOf(value: unknown): RecordDocument | null {
  const given = value as Partial<RecordDocument> | null | undefined;
  const isRecord =
    typeof given?.record?.recordId === 'string' &&
    typeof given.record.subject === 'string' &&
    typeof given.signature?.signer === 'string' &&
    typeof given.signature.value === 'string' &&
    (given.proof === null || (typeof given.proof?.root === 'string' && Array.isArray(given.proof.siblings)));
  return isRecord ? (given as RecordDocument) : null;
}

function verdictOf({ record }: RecordDocument): 'CLEAN' | 'FLAGGED' | null {
  if (record.kind !== 'determination') return null;
  const verdict = (record.content as { record?: { verdict?: unknown } } | null)?.record?.verdict;
  return verdict === 'CLEAN' || verdict === 'FLAGGED' ? verdict : null;
}

function chainOf({ record }: RecordDocument): number | null {
  const chainId = (record.content as { record?: { chainId?: unknown } } | null)?.record?.chainId;
  return typeof chainId === 'number' ? chainId : null;
}

function nothing(document: unknown): Verified {
  const { recordId } = (document ?? {}) as { readonly recordId?: unknown };
  const steps = [{ step: 'this is the document of a record', ok: false }];
  return {
    ...{
      ok: false,
      signer: '',
      subject: '',
      verdict: null,
      chainId: null,
      root: null,
      withdrawn: null,
      steps,
    },
    recordId: typeof recordId === 'string' ? recordId : '',
    issuedAt: new Date(Number.NaN),
  };
}
