import { encodeFunctionData, recoverTypedDataAddress } from 'viem/utils';
import { documentHash, type Hex } from '../../agents/canonical.ts';
import { recordTypedData } from '../../agents/records/eip712.ts';
import { verifyMerkleProof } from '../../agents/records/merkle.ts';
import type { PublicRecord } from '../../agents/records/record.ts';
import { PROOF } from '../words/browser.ts';
import { connected } from './wallet.ts';

/** One thing that was checked; `ok` is null where it could not be. */
export interface ProofStep {
  readonly says: string;
  readonly ok: boolean | null;
}

/** A record as `GET /records/{id}` serves it. */
interface Served {
  readonly record: PublicRecord;
  readonly hash: Hex;
  readonly signature: { readonly signer: Hex; readonly value: Hex };
  readonly evidence: unknown;
  readonly proof: { readonly siblings: readonly Hex[]; readonly root: Hex } | null;
  readonly ledger: { readonly chainId: number; readonly contract: Hex } | null;
}

const ANCHORED_AT = [
  {
    type: 'function',
    name: 'anchoredAt',
    stateMutability: 'view',
    inputs: [{ name: 'root', type: 'bytes32' }],
    outputs: [{ name: '', type: 'uint48' }],
  },
] as const;

/** Checks hash, evidence, signature and Merkle path by this code, and the root through the visitor's own wallet. */
export async function proveRecord(recordId: string): Promise<readonly ProofStep[]> {
  const answer = await fetch(`/records/${encodeURIComponent(recordId)}`, {
    headers: { accept: 'application/json' },
  });
  if (!answer.ok) throw new Error(PROOF.unread);
  const served = (await answer.json()) as Served;
  const { record, signature, evidence, proof } = served;
  const hash = documentHash(record);
  const data = recordTypedData(record, hash);
  const signer = await recoverTypedDataAddress({ ...data, signature: signature.value });
  return [
    { says: PROOF.hash, ok: hash === served.hash },
    evidence === null
      ? { says: PROOF.noEvidence, ok: record.evidenceHash === null ? true : null }
      : {
          says: PROOF.evidence,
          ok: documentHash(evidence) === record.evidenceHash,
        },
    {
      says: PROOF.signed(signature.signer),
      ok: signer.toLowerCase() === signature.signer.toLowerCase(),
    },
    proof === null
      ? { says: PROOF.notAnchored, ok: null }
      : {
          says: PROOF.path,
          ok: verifyMerkleProof(hash, proof.siblings, proof.root),
        },
    await anchored(served),
  ];
}

/** Asks the ledger contract through the wallet, so that this service has no part in the answer. */
async function anchored({ proof, ledger }: Served): Promise<ProofStep> {
  const wallet = connected();
  if (proof === null || ledger === null) return { says: PROOF.noRoot, ok: null };
  if (wallet === null) return { says: PROOF.connect, ok: null };
  const at = Number(await wallet.provider.request({ method: 'eth_chainId' }));
  if (at !== ledger.chainId) return { says: PROOF.changeChain(ledger.chainId), ok: null };
  const data = encodeFunctionData({ abi: ANCHORED_AT, functionName: 'anchoredAt', args: [proof.root] });
  const params = [{ to: ledger.contract, data }, 'latest'];
  const answer = (await wallet.provider.request({ method: 'eth_call', params })) as string;
  return { says: PROOF.root(ledger.contract), ok: BigInt(answer) > 0n };
}
