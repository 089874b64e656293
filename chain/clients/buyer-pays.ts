import { type Address, erc20Abi, getAbiItem, type Hex, pad, toEventSelector, toHex, zeroAddress } from 'viem';
import { agentAccountAbi } from '../abi/agent-account.ts';
import { agentNftAbi } from '../abi/agent-nft.ts';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { MOVED } from '../indexer/transfer-logs.ts';
import { type ChainReader, ReaderError } from '../rpc/reader.ts';
import type { DealOnChain } from './settlement.ts';

/** What the buyer's account is asked to pay for a deal. */
export interface Payment extends Pick<DealOnChain, 'seller' | 'buyer' | 'token' | 'price' | 'category'> {
  /** The buyer's session key. */
  readonly key: Address;
}

/** By these an agent's owner may have its account refuse to pay, and pay again. The agent is the first that they name. */
const OWNERS_ACTS: readonly Hex[] = [
  ...(['MandateSet', 'KeyGranted', 'KeyRevoked', 'PausedSet', 'SettlementBound', 'CameOver'] as const).map(
    (name) => toEventSelector(getAbiItem({ abi: spendPolicyAbi, name })),
  ),
  ...(['EpochRaised', 'PolicyBound'] as const).map((name) =>
    toEventSelector(getAbiItem({ abi: agentNftAbi, name })),
  ),
];

/** Where a payment was asked for. */
interface Asked {
  readonly block: bigint;
  /** The buyer's agent; null where it is not there any more. */
  readonly agentId: bigint | null;
}

/**
 * Whether the buyer's account could have paid all through a block: before it, after it, and for all that is told of within,
 * as whoever orders a block takes the money out in front of the settlement, and puts it back behind.
 * @throws ReaderError when the chain does not say
 */
export async function couldPay(
  reader: ChainReader,
  deployment: Deployment,
  payment: Payment,
  asked: Asked,
): Promise<boolean> {
  const { block } = asked;
  const answers = await Promise.all([
    wouldPay(reader, deployment, payment, block - 1n),
    wouldPay(reader, deployment, payment, block),
    hadEnough(reader, payment, block),
    wasLeft(reader, deployment, asked),
  ]);
  return answers.every((could) => could);
}

/** Whether the money was enough without what came in within the block: who pays others small sums has paid the price as well. */
async function hadEnough(
  reader: ChainReader,
  { buyer, token, price }: Payment,
  block: bigint,
): Promise<boolean> {
  const held = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [buyer] };
  const [before, moves] = await Promise.all([
    reader.read({ ...held, block: block - 1n }),
    reader.logs({ address: token, topics: [MOVED, pad(buyer)], fromBlock: block, toBlock: block }),
  ]);
  return BigInt(before as bigint) - moves.reduce((sum, { data }) => sum + BigInt(data), 0n) >= price;
}

/** Whether the agent was left as it was. */
async function wasLeft(
  reader: ChainReader,
  { policy, agentNft }: Deployment,
  { block, agentId }: Asked,
): Promise<boolean> {
  if (agentId === null) return false;
  const topics = [OWNERS_ACTS, pad(toHex(agentId))];
  const address = [policy, agentNft];
  return (await reader.logs({ address, topics, fromBlock: block, toBlock: block })).length === 0;
}

/**
 * Whether the buyer's account would have paid after a block: its money, its policy and its session key, asked through the
 * settlement's door without a word of the thing that is sold, whose contract can name whatever refusal it likes.
 * @throws ReaderError when the chain does not say
 */
async function wouldPay(
  reader: ChainReader,
  { settlement }: Deployment,
  { key, seller, buyer, token, price, category }: Payment,
  block: bigint,
): Promise<boolean> {
  const trade = { key, other: seller, token, price, category };
  try {
    await reader.read({
      ...{ address: buyer, abi: agentAccountAbi, functionName: 'payDeal', from: settlement, block },
      args: [trade, 0n, zeroAddress],
    });
    return true;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return false;
    throw error;
  }
}
