import type { Address, Hex } from 'viem';
import { spendPolicyAbi } from './abi/spend-policy.ts';
import type { Deployment } from './deployment.ts';
import type { ChainReader } from './readers/reader.ts';
import type { Signer } from './signer.ts';
import { simulate, transact } from './transact.ts';

/** What an owner lets an agent sell, once: the token, and under which ownership of the agent. */
export interface AssetListing {
  readonly agentId: bigint;
  readonly asset: Address;
  readonly tokenId: bigint;
  /** Of the agent: a listing ends with its transfer. */
  readonly epoch: number;
  /** Unix seconds until which the signed words may be used. */
  readonly deadline: number;
}

const LINE =
  /^List token (\d{1,78}) of (0x[0-9a-f]{40}) for sale by agent (\d{1,78}) of 0x[0-9a-f]{40} on chain \d+, epoch (\d{1,10}), until (\d{1,15})\.$/m;

/** The line by which an owner lists an asset, letter for letter as the policy builds it (`listingLine`). */
export function listingLine({ agentNft, chainId }: Deployment, l: AssetListing): string {
  const what = `List token ${l.tokenId} of ${l.asset.toLowerCase()} for sale by agent ${l.agentId}`;
  return `${what} of ${agentNft.toLowerCase()} on chain ${chainId}, epoch ${l.epoch}, until ${l.deadline}.`;
}

/** A text that its signer's wallet showed, and the signature over it (EIP-191). */
export interface SignedText {
  readonly message: string;
  readonly signature: Hex;
}

/**
 * Lists the asset that a signed text names, by that text: whoever sends it, the policy holds it against the agent's
 * current owner.
 * @returns what the text lists; null when it holds no such line
 * @throws ChainError reverted (`BadOwnerSignature`, `TextAlreadyUsed`, `SignatureExpired`), down when nothing was
 *   sent, unknown: ask `isListed` first
 */
export async function listByMessage(
  signer: Signer,
  { policy }: Deployment,
  { message, signature }: SignedText,
): Promise<Omit<AssetListing, 'epoch'> | null> {
  const found = LINE.exec(message);
  if (!found) return null;
  const [line, token, asset, agent, , until] = found as unknown as readonly [
    string,
    string,
    Hex,
    ...string[],
  ];
  const listing = {
    agentId: BigInt(agent!),
    asset,
    tokenId: BigInt(token),
    deadline: Number(until),
  };
  const before = message.slice(0, found.index);
  const rest = message.slice(found.index + line.length);
  const call = {
    to: policy,
    abi: spendPolicyAbi,
    functionName: 'listByMessage',
    args: [listing.agentId, asset, listing.tokenId, listing.deadline, before, rest, signature],
  };
  // A refusal that is known beforehand costs no gas.
  await simulate(signer, call);
  await transact(signer, { ...call, gas: 400_000n });
  return listing;
}

/**
 * Lists an asset, or takes it back, by the owner's own transaction; the guardian may take it back.
 * @throws ChainError reverted (`NotOwner`), down when nothing was sent, unknown: ask `isListed` first
 */
export async function setListed(
  owner: Signer,
  { policy }: Deployment,
  { agentId, asset, tokenId }: Pick<AssetListing, 'agentId' | 'asset' | 'tokenId'>,
  listed: boolean,
): Promise<void> {
  const args = [agentId, asset, tokenId, listed];
  const call = { to: policy, abi: spendPolicyAbi, functionName: 'setListed', args };
  // A refusal that is known beforehand costs no gas.
  await simulate(owner, call);
  await transact(owner, { ...call, gas: 150_000n });
}

/** Whether the agent's current owner lets it sell the asset. @throws ReaderError */
export async function isListed(
  reader: ChainReader,
  { policy }: Deployment,
  { agentId, asset, tokenId }: Pick<AssetListing, 'agentId' | 'asset' | 'tokenId'>,
  block: bigint,
): Promise<boolean> {
  const args = [agentId, asset, tokenId];
  return (
    (await reader.read({ address: policy, abi: spendPolicyAbi, functionName: 'isListed', args, block })) ===
    true
  );
}
