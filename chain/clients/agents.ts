import { type Address, encodeEventTopics, type Hex, isAddressEqual, pad, parseEventLogs, toHex } from 'viem';
import { agentAccountAbi } from '../abi/agent-account.ts';
import { agentNftAbi } from '../abi/agent-nft.ts';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import { testUsdcAbi } from '../abi/test-usdc.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { findLog } from '../indexer/find-log.ts';
import { ChainError } from '../rpc/chain-error.ts';
import { type ChainReader, viemLog } from '../rpc/reader.ts';
import type { Signer } from '../tx/signer.ts';
import { simulate, transact } from '../tx/transact.ts';
import { keyOfMint, type OrderedAgent } from './minted-as-ordered.ts';

/** What one paid checkout mints: the token, its account, its first mandate and its first session key. */
export interface MintOrder extends OrderedAgent {
  readonly key: Address;
  readonly uri: string;
}

/** The purpose under which the signer keeps what it sent for a payment. */
export function mintPurpose(paymentRef: Hex): string {
  return `mint:${paymentRef}`;
}

export interface MintedAgent {
  readonly tokenId: bigint;
  readonly account: Address;
  readonly tx: Hex;
  /** The session key that the mint itself granted: the owner may have replaced it since. */
  readonly key: Address;
}

/**
 * Mints an agent. It is simulated first, so that a mint that the contract refuses costs no gas each time it is tried.
 * @throws ChainError reverted (`PaymentAlreadyUsed` when this payment has minted, or another whose agent has the same
 *   number: ask `findByPayment`), down when nothing was sent, unknown: ask `findByPayment` first
 */
export async function mintAgent(
  signer: Signer,
  deployment: Deployment,
  order: MintOrder,
): Promise<MintedAgent> {
  const { terms, ...rest } = order;
  const { mandateHash, validAfter, expiry, sides, allowlistOnly, categories, caps, allow, deny } = terms;
  const call = {
    to: deployment.agentNft,
    abi: agentNftAbi,
    functionName: 'mint',
    args: [
      {
        ...rest,
        terms: { mandateHash, validAfter, expiry, sides, allowlistOnly, categories },
        caps: [{ token: deployment.usdc, ...caps }],
        allow,
        deny,
      },
    ],
    gas: 1_500_000n + 60_000n * BigInt(allow.length + deny.length) + 1_000n * BigInt(order.uri.length),
    purposes: [mintPurpose(order.paymentRef)],
  };
  await simulate(signer, call);
  const receipt = await transact(signer, call);
  const [minted] = parseEventLogs({ abi: agentNftAbi, eventName: 'AgentMinted', logs: receipt.logs });
  if (!minted) throw new ChainError('unknown', 'the mint left no event', { hash: receipt.transactionHash });
  const { agentId, account } = minted.args;
  return { tokenId: agentId, account, tx: receipt.transactionHash, key: order.key };
}

/**
 * The agent that a payment minted as it was ordered, as of the head; null when there is none. `taken`: the agent of the
 * number that this payment would mint was minted for another payment, or otherwise than it was ordered, as by whoever has
 * stolen a minter's key and saw the reference. Then the payment can never mint what was ordered. Whether the session key is
 * one of this service is left to the caller.
 * @throws ReaderError
 */
export async function findByPayment(
  reader: ChainReader,
  deployment: Deployment,
  order: OrderedAgent,
): Promise<MintedAgent | 'taken' | null> {
  const { number: block } = await reader.head();
  const { agentNft: address } = deployment;
  const ask = (functionName: string, args: readonly unknown[]) =>
    reader.read({ address, abi: agentNftAbi, functionName, args, block });
  const tokenId = (await ask('agentByPayment', [order.paymentRef])) as bigint;
  if (tokenId === 0n) return null;
  const account = (await ask('accountOf', [tokenId])) as Address;
  const [event] = encodeEventTopics({ abi: agentNftAbi, eventName: 'AgentMinted' }) as [Hex];
  const log = await findLog(reader, {
    address,
    topics: [event, pad(toHex(tokenId), { size: 32 })],
    fromBlock: BigInt(deployment.deployedAtBlock),
    toBlock: block,
  });
  const [minted] = parseEventLogs({
    abi: agentNftAbi,
    eventName: 'AgentMinted',
    logs: log === null ? [] : [viemLog(log)],
  });
  if (log === null || minted === undefined)
    throw new Error(`agent ${tokenId} is minted, but the node does not serve the log that says where`);
  const { paymentRef, owner, tier } = minted.args;
  // The token id is derived from the payment by its first 53 bits.
  if (paymentRef !== order.paymentRef) return 'taken';
  if (!isAddressEqual(owner, order.to) || tier !== order.tier) return 'taken';
  const key = await keyOfMint(reader, deployment, { tokenId, log }, order);
  return key === null ? 'taken' : { tokenId, account, tx: log.transactionHash, key };
}

/** What remains of each limit of an agent in USDC, micro-dollars; `UNCAPPED` when there is no such limit. */
export interface LiveLimits {
  readonly perDeal: bigint;
  readonly day: bigint;
  readonly week: bigint;
  readonly month: bigint;
  readonly total: bigint;
  /** The most that one payment may carry now; 0 while paused, expired or not yet valid. */
  readonly spendable: bigint;
}

/** The value by which the contract says that there is no limit. */
export const UNCAPPED = 2n ** 256n - 1n;

/** An agent's state on chain at one block. */
export interface AgentOnChain {
  readonly block: bigint;
  readonly owner: Address;
  readonly account: Address;
  /** Raised by every transfer, which ends the session keys of earlier epochs. */
  readonly epoch: number;
  readonly mandateHash: Hex;
  readonly mandateVersion: number;
  /** In unix seconds. */
  readonly validAfter: number;
  readonly expiry: number;
  readonly paused: boolean;
  readonly limits: LiveLimits;
  /** The account's USDC, in micro-dollars. */
  readonly balance: bigint;
}

/**
 * Reads an agent's owner, mandate, limits and money at one block.
 * @throws ReaderError; reverted when there is no such agent
 */
export async function readAgentOnChain(
  reader: ChainReader,
  deployment: Deployment,
  tokenId: bigint,
  block: bigint,
): Promise<AgentOnChain> {
  const { agentNft, policy, usdc } = deployment;
  const nft = (functionName: string) =>
    reader.read({ address: agentNft, abi: agentNftAbi, functionName, args: [tokenId], block });
  const [owner, account, epoch, mandate, limits] = await Promise.all([
    nft('ownerOf') as Promise<Address>,
    nft('accountOf') as Promise<Address>,
    nft('epochOf') as Promise<number>,
    reader.read({ address: policy, abi: spendPolicyAbi, functionName: 'mandates', args: [tokenId], block }),
    reader.read({
      address: policy,
      abi: spendPolicyAbi,
      functionName: 'remaining',
      args: [tokenId, usdc],
      block,
    }),
  ]);
  const { mandateHash, version, validAfter, expiry, pausedByOwner, pausedByGuardian } =
    mandate as MandateOnChain;
  const balance = await readBalance(reader, deployment, account, block);
  return {
    block,
    owner,
    account,
    epoch,
    mandateHash,
    mandateVersion: version,
    validAfter,
    expiry,
    paused: pausedByOwner || pausedByGuardian,
    limits: limits as LiveLimits,
    balance,
  };
}

interface MandateOnChain {
  readonly mandateHash: Hex;
  readonly version: number;
  readonly validAfter: number;
  readonly expiry: number;
  readonly pausedByOwner: boolean;
  readonly pausedByGuardian: boolean;
}

/** Reads the USDC that an account holds, in micro-dollars. @throws ReaderError */
export async function readBalance(
  reader: ChainReader,
  { usdc }: Deployment,
  account: Address,
  block: bigint,
): Promise<bigint> {
  const call = { address: usdc, abi: testUsdcAbi, functionName: 'balanceOf', args: [account], block };
  return (await reader.read(call)) as bigint;
}

/** Reads what remains of an agent's limits in USDC. @throws ReaderError; reverted when there is no such agent */
export async function readLimits(
  reader: ChainReader,
  { policy, usdc }: Deployment,
  tokenId: bigint,
  block: bigint,
): Promise<LiveLimits> {
  const args = [tokenId, usdc];
  const call = { address: policy, abi: spendPolicyAbi, functionName: 'remaining', args, block };
  return (await reader.read(call)) as LiveLimits;
}

/** Reads an agent's owner at a block. @throws ReaderError; reverted when there is no such agent */
export async function readAgentOwner(
  reader: ChainReader,
  { agentNft }: Deployment,
  tokenId: bigint,
  block: bigint,
): Promise<Address> {
  const call = { address: agentNft, abi: agentNftAbi, functionName: 'ownerOf', args: [tokenId], block };
  return (await reader.read(call)) as Address;
}

/** The account of an agent. @throws ReaderError; reverted when there is no such agent */
export async function readAgentAccount(
  reader: ChainReader,
  { agentNft }: Pick<Deployment, 'agentNft'>,
  tokenId: bigint,
  block: bigint,
): Promise<Address> {
  const call = { address: agentNft, abi: agentNftAbi, functionName: 'accountOf', args: [tokenId], block };
  return (await reader.read(call)) as Address;
}

/**
 * Reads the state of an agent's account, which changes whenever value leaves it.
 * @throws ReaderError; reverted with `BookingsOpen` or `AgentsHeld` while the state cannot be quoted
 */
export async function readAgentState(
  reader: ChainReader,
  deployment: Deployment,
  tokenId: bigint,
  block: bigint,
): Promise<bigint> {
  const address = await readAgentAccount(reader, deployment, tokenId, block);
  const state = { address, abi: agentAccountAbi, functionName: 'state', args: [], block };
  return (await reader.read(state)) as bigint;
}

/**
 * Reads how often an agent has changed hands, including its mint.
 * @throws ReaderError; reverted when there is no such agent
 */
export async function readAgentEpoch(
  reader: ChainReader,
  { agentNft }: Deployment,
  tokenId: bigint,
  block: bigint,
): Promise<number> {
  const call = { address: agentNft, abi: agentNftAbi, functionName: 'epochOf', args: [tokenId], block };
  return (await reader.read(call)) as number;
}

/** True when a session key could act for the agent at a block. @throws ReaderError */
export async function isKeyLive(
  reader: ChainReader,
  { policy }: Deployment,
  tokenId: bigint,
  key: Address,
  block: bigint,
): Promise<boolean> {
  const args = [tokenId, key];
  return (
    (await reader.read({ address: policy, abi: spendPolicyAbi, functionName: 'keyIsLive', args, block })) ===
    true
  );
}
