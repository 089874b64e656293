import type { Address, Hex } from 'viem';
import { spendPolicyAbi } from './abi/spend-policy.ts';
import type { Deployment } from './deployment.ts';
import type { ChainReader } from './readers/reader.ts';
import type { Signer } from './signer.ts';
import { transact } from './transact.ts';

/** How the policy holds a session key of an agent. */
export interface GrantedKey {
  /** Of the grant: any transfer since has ended the key. 0 where it was never granted, or was revoked. */
  readonly epoch: number;
  /** Unix seconds. */
  readonly validUntil: number;
}

/** By whom an agent's keys are stopped. */
export interface Pauses {
  readonly owner: boolean;
  readonly guardian: boolean;
}

/** What was granted to a key, whether or not it is live. @throws ReaderError */
export async function readGrant(
  reader: ChainReader,
  { policy }: Deployment,
  tokenId: bigint,
  key: Address,
  block: bigint,
): Promise<GrantedKey> {
  const args = [tokenId, key];
  const granted = await reader.read({
    address: policy,
    abi: spendPolicyAbi,
    functionName: 'keys',
    args,
    block,
  });
  const [epoch, validUntil] = Array.isArray(granted)
    ? (granted as [number, number])
    : [(granted as GrantedKey).epoch, (granted as GrantedKey).validUntil];
  return { epoch: Number(epoch), validUntil: Number(validUntil) };
}

/** @throws ReaderError */
export async function readPauses(
  reader: ChainReader,
  { policy }: Deployment,
  tokenId: bigint,
  block: bigint,
): Promise<Pauses> {
  const mandate = (await reader.read({
    address: policy,
    abi: spendPolicyAbi,
    functionName: 'mandates',
    args: [tokenId],
    block,
  })) as { readonly pausedByOwner: boolean; readonly pausedByGuardian: boolean };
  return { owner: mandate.pausedByOwner, guardian: mandate.pausedByGuardian };
}

/**
 * Ends a session key, as the guardian does. Of a key that is none it sends nothing.
 * @returns the transaction; null when there was nothing to end
 * @throws ChainError, ReaderError
 */
export async function revokeKey(
  { signer, reader, deployment }: { signer: Signer; reader: ChainReader; deployment: Deployment },
  tokenId: bigint,
  key: Address,
): Promise<Hex | null> {
  const { number: block } = await reader.head();
  if ((await readGrant(reader, deployment, tokenId, key, block)).epoch === 0) return null;
  const receipt = await transact(signer, {
    to: deployment.policy,
    abi: spendPolicyAbi,
    functionName: 'revokeKey',
    args: [tokenId, key],
    gas: 120_000n,
    purpose: `revoke:${tokenId}:${key.toLowerCase()}`,
  });
  return receipt.transactionHash;
}

/** Whether this key is the guardian's, who may end any session key. */
export function isGuardian({ roles, operator }: Deployment, address: Address): boolean {
  return (roles?.guardian ?? operator).toLowerCase() === address.toLowerCase();
}
