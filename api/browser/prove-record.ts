import { encodeFunctionData, recoverTypedDataAddress } from 'viem/utils';
import { documentHash, type Hex } from '../../agents/canonical.ts';
import { recordTypedData } from '../../agents/records/eip712.ts';
import { verifyMerkleProof } from '../../agents/records/merkle.ts';
import type { PublicRecord } from '../../agents/records/record.ts';
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
  if (!answer.ok) throw new Error('the record could not be read');
  const served = (await answer.json()) as Served;
  const { record, signature, evidence, proof } = served;
  const hash = documentHash(record);
  const data = recordTypedData(record, hash);
  const signer = await recoverTypedDataAddress({ ...data, signature: signature.value });
  return [
    { says: 'The hash is the one of the record as it is shown.', ok: hash === served.hash },
    evidence === null
      ? { says: 'Its evidence is not served.', ok: record.evidenceHash === null ? true : null }
      : {
          says: 'The evidence is the one that was judged.',
          ok: documentHash(evidence) === record.evidenceHash,
        },
    {
      says: `${signature.signer} signed it.`,
      ok: signer.toLowerCase() === signature.signer.toLowerCase(),
    },
    proof === null
      ? { says: 'It is not anchored yet.', ok: null }
      : {
          says: 'The Merkle path leads from the record to the root.',
          ok: verifyMerkleProof(hash, proof.siblings, proof.root),
        },
    await anchored(served),
  ];
}

/** Asks the ledger contract through the wallet, so that this service has no part in the answer. */
async function anchored({ proof, ledger }: Served): Promise<ProofStep> {
  const wallet = connected();
  if (proof === null || ledger === null) return { says: 'No root stands on the chain for it yet.', ok: null };
  if (wallet === null)
    return { says: 'Connect a wallet to ask the chain itself whether it holds the root.', ok: null };
  const at = Number(await wallet.provider.request({ method: 'eth_chainId' }));
  if (at !== ledger.chainId)
    return { says: `Change the wallet to chain ${ledger.chainId} to ask it for the root.`, ok: null };
  const data = encodeFunctionData({ abi: ANCHORED_AT, functionName: 'anchoredAt', args: [proof.root] });
  const params = [{ to: ledger.contract, data }, 'latest'];
  const answer = (await wallet.provider.request({ method: 'eth_call', params })) as string;
  return { says: `The ledger ${ledger.contract} holds the root.`, ok: BigInt(answer) > 0n };
}
