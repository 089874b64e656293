import type { Address, Hex } from 'viem';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { hasRole } from '../deploy/roles.ts';
import type { ChainReader } from '../rpc/reader.ts';
import type { Signer } from '../tx/signer.ts';
import { transact } from '../tx/transact.ts';

/** The policy's entry for a session key of an agent. */
export interface GrantedKey {
  /** The epoch in which it was granted; any later transfer ended the key. 0 when it was never granted. */
  readonly epoch: number;
  /** In unix seconds; 0 when it was revoked, which is final. */
  readonly validUntil: number;
}

/** Who has paused an agent's keys. */
export interface Pauses {
  readonly owner: boolean;
  readonly guardian: boolean;
}

/** Reads the grant of a key, whether or not the key is live. @throws ReaderError */
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
 * Revokes a session key as the guardian. For a key that was never granted, or was revoked already, nothing is sent.
 * @returns the transaction; null when nothing was sent
 * @throws ChainError, ReaderError
 */
export async function revokeKey(
  { signer, reader, deployment }: { signer: Signer; reader: ChainReader; deployment: Deployment },
  tokenId: bigint,
  key: Address,
): Promise<Hex | null> {
  const { number: block } = await reader.head();
  if ((await readGrant(reader, deployment, tokenId, key, block)).validUntil === 0) return null;
  const receipt = await transact(signer, {
    to: deployment.policy,
    abi: spendPolicyAbi,
    functionName: 'revokeKey',
    args: [tokenId, key],
    gas: 120_000n,
    purposes: [`revoke:${tokenId}:${key.toLowerCase()}`],
  });
  return receipt.transactionHash;
}

/** True when this address is the guardian's, which may revoke any session key. @throws ReaderError */
export async function isGuardian(
  reader: ChainReader,
  deployment: Deployment,
  address: Address,
): Promise<boolean> {
  const { number: block } = await reader.head();
  return await hasRole(reader, deployment, 'guardian', address, block);
}
