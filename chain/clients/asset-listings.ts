import { type Address, type Hex, isAddressEqual } from 'viem';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import type { ChainReader } from '../rpc/reader.ts';
import type { Signer } from '../tx/signer.ts';
import { simulate, transact } from '../tx/transact.ts';
import { readAgentOwner } from './agents.ts';
import { type Relay, relayCall } from './relay-call.ts';

/** An asset that an owner lets an agent sell, once, and under which ownership of the agent. */
export interface AssetListing {
  readonly agentId: bigint;
  readonly asset: Address;
  readonly tokenId: bigint;
  /** The lowest price in micro-dollars. It is public, and the chain enforces it. */
  readonly minPrice: bigint;
  /** How often this listing was changed before. It makes a text list once, and not again after it was taken back. */
  readonly change: number;
  /** The agent's epoch: a listing ends with the agent's transfer. */
  readonly epoch: number;
  /** Until when the signed text may be used, in unix seconds. */
  readonly deadline: number;
}

const LINE =
  /^List token (\d{1,78}) of (0x[0-9a-f]{40}) for at least (\d{1,25}) units of (0x[0-9a-f]{40}) by agent (\d{1,78}) of 0x[0-9a-f]{40} on chain \d+ under policy 0x[0-9a-f]{40} for settlement 0x[0-9a-f]{40}, epoch \d{1,10}, change \d{1,5}, until (\d{1,15})\.$/m;

/**
 * The line by which an owner lists an asset. It must match exactly what the policy builds (`listingLine`) for an agent
 * that is bound to this deployment's settlement.
 */
export function listingLine(
  { agentNft, chainId, usdc, policy, settlement }: Deployment,
  l: AssetListing,
): string {
  const what = `List token ${l.tokenId} of ${l.asset.toLowerCase()}`;
  const price = `for at least ${l.minPrice} units of ${usdc.toLowerCase()}`;
  const whose = `by agent ${l.agentId} of ${agentNft.toLowerCase()} on chain ${chainId}`;
  const where = `under policy ${policy.toLowerCase()} for settlement ${settlement.toLowerCase()}`;
  return `${what} ${price} ${whose} ${where}, epoch ${l.epoch}, change ${l.change}, until ${l.deadline}.`;
}

/** A text that the signer's wallet showed, and the signature over it (EIP-191). */
export interface SignedText {
  readonly message: string;
  readonly signature: Hex;
}

/**
 * Lists the asset that a signed text names. Anybody may send it, because the policy checks the signature against the
 * agent's present owner.
 * @returns what the text lists; null when it contains no such line
 * @throws ChainError reverted (`BadOwnerSignature`, also for a text that was used or whose listing was taken back;
 *   `SignatureExpired`), down when nothing was sent, unknown: ask `readOffer` first
 */
export async function listByMessage(
  relay: Relay,
  { message, signature }: SignedText,
): Promise<Omit<AssetListing, 'epoch' | 'change'> | null> {
  const found = LINE.exec(message);
  if (!found) return null;
  const [line, id, asset, minPrice, token, agent, until] = [...found] as [
    string,
    string,
    Hex,
    string,
    Hex,
    string,
    string,
  ];
  const lot = { agentId: BigInt(agent), asset, tokenId: BigInt(id), token, minPrice: BigInt(minPrice) };
  const deadline = Number(until);
  const before = message.slice(0, found.index);
  const rest = message.slice(found.index + line.length);
  const call = {
    to: relay.deployment.policy,
    abi: spendPolicyAbi,
    functionName: 'listByMessage',
    args: [lot, deadline, before, rest, signature],
  };
  const { number } = await relay.reader.head();
  const wallet = await readAgentOwner(relay.reader, relay.deployment, lot.agentId, number);
  await relayCall(relay, { ...call, gas: 400_000n, wallet, payers: [`agent ${lot.agentId}`] });
  const { token: _, ...listing } = lot;
  return { ...listing, deadline };
}

/** The token and the agent that is to sell it. */
type Listable = Pick<AssetListing, 'agentId' | 'asset' | 'tokenId'>;

/**
 * Lists an asset for USDC, or takes it back, by the owner's own transaction. The guardian may also take it back.
 * @param minPrice the lowest price in micro-dollars; null takes the asset back
 * @throws ChainError reverted (`NotOwner`), down when nothing was sent, unknown: ask `readOffer` first
 */
export async function setListed(
  owner: Signer,
  { policy, usdc }: Deployment,
  { agentId, asset, tokenId }: Listable,
  minPrice: bigint | null,
): Promise<void> {
  const call =
    minPrice === null
      ? { functionName: 'delist', args: [agentId, asset, tokenId] }
      : { functionName: 'list', args: [{ agentId, asset, tokenId, token: usdc, minPrice }] };
  const whole = { to: policy, abi: spendPolicyAbi, ...call };
  // Simulated first, because a call that will be refused should not cost gas.
  await simulate(owner, whole);
  await transact(owner, { ...whole, gas: 200_000n });
}

/** An agent's offer on chain. */
export interface Offer {
  /** In micro-dollars; null when it does not offer the asset for USDC. */
  readonly minPrice: bigint | null;
  readonly change: number;
}

/** Reads the price at which the agent's present owner lets it sell the asset. @throws ReaderError */
export async function readOffer(
  reader: ChainReader,
  { policy, usdc }: Deployment,
  { agentId, asset, tokenId }: Listable,
  block: bigint,
): Promise<Offer> {
  const args = [agentId, asset, tokenId];
  const call = { address: policy, abi: spendPolicyAbi, functionName: 'offerOf', args, block };
  const { token, minPrice, changes } = (await reader.read(call)) as {
    readonly token: Address;
    readonly minPrice: bigint;
    readonly changes: number;
  };
  return { minPrice: isAddressEqual(token, usdc) ? minPrice : null, change: Number(changes) };
}

/** True when the agent's present owner lets it sell the asset for USDC. @throws ReaderError */
export async function isListed(
  reader: ChainReader,
  deployment: Deployment,
  listing: Listable,
  block: bigint,
): Promise<boolean> {
  return (await readOffer(reader, deployment, listing, block)).minPrice !== null;
}
