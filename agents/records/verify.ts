import { canonicalJson, documentHash, type Hex } from '../canonical.ts';
import { listSilences } from '../determinations/panel/list-silence.ts';
import { tryAddress } from '../determinations/wallet/address.ts';
import { type RecordTypedData, recordTypedData } from './eip712.ts';
import { merkleLeaf, verifyMerkleProof } from './merkle.ts';
import { hasRecordForm, type PublicRecord } from './record.ts';
import { withdrawalOf } from './withdrawal.ts';

/** A record's document as `GET /records/{id}` serves it. Nothing in it is trusted without a check. */
export interface RecordDocument {
  /** Not signed: which record it is, `record.recordId` says. */
  readonly recordId: string;
  readonly record: PublicRecord;
  readonly hash: Hex;
  /** `typedData` shows what was signed; what is checked is computed from the record. */
  readonly signature: { readonly signer: Hex; readonly value: Hex; readonly typedData?: unknown };
  readonly evidence: unknown;
  /** Why the evidence is not served; left out where it is, or where there is none. */
  readonly withheld?: string;
  /** That the operator took it back, as the service says: no signature is on that. */
  readonly retracted?: { readonly reason: string; readonly at: string };
  /** That an appeal overturned it, as the service says. */
  readonly overturned?: boolean;
  readonly proof: { readonly siblings: readonly Hex[]; readonly root: Hex; readonly leaf?: unknown } | null;
  readonly ledger: { readonly chainId: number; readonly contract: Hex; readonly tx: string } | null;
}

export interface VerifyStep {
  readonly step: string;
  readonly ok: boolean;
}

/** Whether this address signed this typed data (EIP-712). Rejects for a signature that cannot be read. */
export type IsSignedBy = (signer: Hex, data: RecordTypedData, signature: Hex) => Promise<boolean>;

/**
 * Checks everything of a record that needs no chain: the hash computed from the record, the id that the document is filed
 * under, the hash of the evidence, the proofs that lists do not name what they did not, the signature, the Merkle path, and
 * that the document says nothing of its having been taken back. A document kept from before cannot say that.
 * @param signer who must have signed; when left out, the signer that the document names is checked and shown
 */
export async function verifySteps(
  document: RecordDocument,
  isSignedBy: IsSignedBy,
  signer: Hex = document.signature.signer,
): Promise<VerifyStep[]> {
  const { record, evidence, proof, signature } = document;
  const hash = documentHash(record);
  const signed = async () => isSignedBy(signer, recordTypedData(record, hash), signature.value);
  return [
    ...shownSteps(document, hash),
    { step: 'the hash is the keccak-256 of the canonical record', ok: hash === document.hash },
    { step: "the document's id is the record's", ok: document.recordId === record.recordId },
    evidenceStep(document),
    ...subjectSteps(record),
    ...listSilences(evidence).map(({ list, root, keys, ok }) => ({
      step: `${list} does not name ${keys} of those looked up, by its root ${root.slice(0, 16)}…`,
      ok,
    })),
    { step: `the signature is ${signer}'s`, ok: await signed().catch(() => false) },
    { step: NO_BATCH, ok: proof !== null },
    ...(proof === null
      ? []
      : [
          {
            step: 'the Merkle path leads from the record to the root',
            ok: verifyMerkleProof(hash, proof.siblings, proof.root),
          },
        ]),
    ...withdrawalSteps(document),
  ];
}

/**
 * What nobody signed and everybody reads, as steps that fail: a record of another form than the specification's, typed data
 * that is not what was signed, and a leaf that is not the record's.
 */
function shownSteps({ record, signature, proof }: RecordDocument, hash: Hex): VerifyStep[] {
  if (!hasRecordForm(record)) return [{ step: 'the record has the form of the specification', ok: false }];
  const { message, ...rest } = recordTypedData(record, hash);
  const typedData = { ...rest, message: { ...message, issuedAt: String(message.issuedAt) } };
  const shown = [
    ['what the document shows as signed is what was signed', signature.typedData, typedData],
    ["the leaf that the document shows is the record's", proof?.leaf, merkleLeaf(hash)],
  ] as const;
  return shown
    .filter(([, given, computed]) => given !== undefined && canonicalJson(given) !== canonicalJson(computed))
    .map(([step]) => ({ step, ok: false }));
}

/** A tier or a deal is about goods, lots and agents: one whose subject is an address speaks against nobody. */
function subjectSteps({ kind, subject, content }: PublicRecord): VerifyStep[] {
  const record = (content as { readonly record?: { readonly tier?: unknown } } | null)?.record;
  if (kind !== 'determination' || record?.tier === undefined || tryAddress(subject) === null) return [];
  return [{ step: 'the address that is its subject was determined on as a wallet', ok: false }];
}

function evidenceStep({ record, evidence, withheld }: RecordDocument): VerifyStep {
  if (evidence === null && withheld !== undefined)
    return { step: WITHHELD, ok: record.evidenceHash !== null };
  const hash = evidence === null ? null : documentHash(evidence);
  return { step: 'the evidence is the one the record was made of', ok: hash === record.evidenceHash };
}

const TAKEN_BACK = 'the service took it back';
const WITHHELD = 'the evidence is withheld, and was not checked';
/** It fails before the batch is sealed, though nothing is wrong. */
export const NO_BATCH = 'the record stands in a batch';

/** That a record was withdrawn, as a step that fails. It is the word of who served the document: no signature is on it. */
function withdrawalSteps(document: RecordDocument): VerifyStep[] {
  const how = withdrawalOf(document);
  if (how === null) return [];
  const why =
    how === 'retracted' ? `its operator retracted it${reasonOf(document)}` : 'an appeal overturned it';
  return [{ step: `${TAKEN_BACK}: ${why}`, ok: false }];
}

function reasonOf({ retracted }: RecordDocument): string {
  return typeof retracted?.reason === 'string' ? ` (${retracted.reason})` : '';
}

/** Whether a record is as it was filed, whether or not it was withdrawn since. */
export function isAsFiled(steps: readonly VerifyStep[]): boolean {
  return steps.every(({ step, ok }) => ok || step.startsWith(TAKEN_BACK));
}

/** Whether a step left open what it is about: it says neither that it holds nor that it does not. */
export function isOpen({ step, ok }: VerifyStep): boolean {
  return (step === NO_BATCH && !ok) || (step === WITHHELD && ok);
}
