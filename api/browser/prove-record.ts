import { encodeFunctionData, recoverTypedDataAddress } from 'viem/utils';
import { type IsSignedBy, isOpen, type RecordDocument, verifySteps } from '../../agents/records/verify.ts';
import { PROOF } from '../words/browser.ts';
import { connected, refusal } from './wallet.ts';

/** One thing that was checked; `ok` is null where it could not be. */
export interface ProofStep {
  readonly says: string;
  readonly ok: boolean | null;
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

/**
 * Takes the steps of `record verify` by this code, and asks for the root through the visitor's own wallet. That the signer
 * and the ledger are the right ones is not for this code to say: the service names both.
 */
export async function proveRecord(recordId: string): Promise<readonly ProofStep[]> {
  const answer = await fetch(`/records/${encodeURIComponent(recordId)}`, {
    headers: { accept: 'application/json' },
  });
  if (!answer.ok) throw new Error(PROOF.unread);
  const served = (await answer.json()) as RecordDocument;
  const steps = await verifySteps(served, isSignedBy);
  return [
    ...steps.map((step) => ({ says: PROOF.step(step.step), ok: isOpen(step) ? null : step.ok })),
    { says: PROOF.named, ok: null },
    await anchored(served),
  ];
}

const isSignedBy: IsSignedBy = async (signer, data, signature) => {
  const found = await recoverTypedDataAddress({ ...data, signature });
  return found.toLowerCase() === signer.toLowerCase();
};

/** Asks the ledger contract through the wallet, so that this service has no part in the answer. */
async function anchored({ proof, ledger }: RecordDocument): Promise<ProofStep> {
  const wallet = connected();
  if (proof === null || ledger === null) return { says: PROOF.noRoot, ok: null };
  if (wallet === null) return { says: PROOF.connect, ok: null };
  const says = PROOF.root(ledger.contract);
  try {
    const at = Number(await wallet.provider.request({ method: 'eth_chainId' }));
    if (at !== ledger.chainId) return { says: PROOF.changeChain(ledger.chainId), ok: null };
    const data = encodeFunctionData({ abi: ANCHORED_AT, functionName: 'anchoredAt', args: [proof.root] });
    const params = [{ to: ledger.contract, data }, 'latest'];
    const answer = (await wallet.provider.request({ method: 'eth_call', params })) as string;
    // Nothing is what an address without a contract answers.
    return { says, ok: answer !== '0x' && BigInt(answer) > 0n };
  } catch (error) {
    // The steps that need no wallet stand all the same.
    return { says: `${says} ${refusal(error)}`, ok: null };
  }
}
