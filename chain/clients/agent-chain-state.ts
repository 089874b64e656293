import {
  type Abi,
  type Address,
  concat,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  isAddressEqual,
  multicall3Abi,
  numberToHex,
  parseAbi,
  size,
  slice,
} from 'viem';
import { agentNftAbi } from '../abi/agent-nft.ts';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { MULTICALL3 } from '../deploy/multicall3-code.ts';
import { type ChainReader, type Head, type ReadCall, ReaderError } from '../rpc/reader.ts';
import { type LiveLimits, readAgentEpoch, readAgentOwner, readBalance, readLimits } from './agents.ts';
import { TOKEN_OF_ACCOUNT, ultimateOwner, ultimateOwnerOf } from './ultimate-owner.ts';

/** An agent's owner and what it may still spend, at one block. */
export interface AgentChainState {
  readonly block: bigint;
  readonly owner: Address;
  /** The beneficial owner, lower case; null when it cannot be found. */
  readonly beneficialOwner: Address | null;
  readonly epoch: number;
  readonly limits: LiveLimits;
  /** The account's USDC, in micro-dollars. */
  readonly balance: bigint;
}

const CLOCK: Abi = parseAbi([
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
]);

/** The agent that is asked about, with its encoded call. It is kept so that repeated reads need not encode it again. */
export interface ChainStateQuery {
  readonly deployment: Deployment;
  readonly tokenId: bigint;
  readonly account: Address;
  /**
   * The presumed owner. Its beneficial owner is read together with the rest, and read again when the owner is another.
   */
  readonly likely: Address;
  readonly call: ReadCall;
}

/** @param agent.likely the presumed owner */
export function chainStateQuery(
  deployment: Deployment,
  agent: { readonly tokenId: bigint; readonly account: Address; readonly likely: Address },
): ChainStateQuery {
  const { tokenId, account, likely } = agent;
  const { agentNft, policy, usdc } = deployment;
  const args = [
    [
      part(MULTICALL3, CLOCK, 'getBlockNumber'),
      part(MULTICALL3, CLOCK, 'getCurrentBlockTimestamp'),
      part(agentNft, agentNftAbi, 'ownerOf', tokenId),
      part(agentNft, agentNftAbi, 'epochOf', tokenId),
      part(policy, spendPolicyAbi, 'remaining', tokenId, usdc),
      part(usdc, erc20Abi, 'balanceOf', account),
      { ...part(likely, TOKEN_OF_ACCOUNT, 'token'), allowFailure: true },
    ],
  ] as const;
  const asked = { abi: multicall3Abi, functionName: 'aggregate3', args } as const;
  const call = { ...asked, address: MULTICALL3, data: encodeFunctionData(asked), block: 'latest' } as const;
  return { deployment, tokenId, account, likely, call };
}

function part(target: Address, abi: Abi, functionName: string, ...args: readonly unknown[]) {
  return { target, allowFailure: false, callData: encodeFunctionData({ abi, functionName, args }) };
}

/**
 * Reads an agent's owner and remaining limits at the head. On a chain with Multicall3 it is one call, whose answer is
 * all from one block and says which. Without it, or when the answer is from a block other than the node's head, they
 * are read one by one at that head.
 * @throws ReaderError; reverted when there is no such agent
 */
export async function readAgentChainState(
  reader: ChainReader,
  question: ChainStateQuery,
): Promise<AgentChainState> {
  const [head, together] = await Promise.all([reader.head(), askInOneCall(reader, question.call)]);
  const { number: block } = head;
  if (together === null || !isAt(head, together)) return await readAt(reader, question, block);
  const { owner, epoch, limits, balance, likelyIsAccount } = together;
  const known = isAddressEqual(owner, question.likely) && !likelyIsAccount;
  const beneficialOwner = known
    ? (owner.toLowerCase() as Address)
    : await ultimateOwner(reader, owner, block);
  return { block, owner, beneficialOwner, epoch, limits, balance };
}

interface ChainStateInOneCall extends Omit<AgentChainState, 'beneficialOwner' | 'block'> {
  readonly number: bigint;
  readonly timestamp: bigint;
  /** True when the presumed owner answers which token it is bound to, whichever that is. */
  readonly likelyIsAccount: boolean;
}

function isAt(head: Head, { number, timestamp }: ChainStateInOneCall): boolean {
  return number === head.number && timestamp === head.timestamp;
}

/** The answers to the parts of the call, in its order. */
type Answers = readonly { readonly success: boolean; readonly returnData: Hex }[];

/** How many words each answer has. All are numbers, the owner too. */
const WORDS = [1, 1, 1, 1, 6, 1] as const;

/** @returns null when the chain has no Multicall3, or a part is refused or malformed */
async function askInOneCall(reader: ChainReader, call: ReadCall): Promise<ChainStateInOneCall | null> {
  let answers: Answers;
  try {
    answers = (await reader.read(call)) as Answers;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return null;
    throw error;
  }
  const bound = answers[WORDS.length];
  if (bound === undefined || WORDS.some((words, i) => size(answers[i]!.returnData) !== words * 32))
    return null;
  const told = concat(answers.slice(0, WORDS.length).map((a) => a.returnData));
  const word = (i: number): bigint => BigInt(slice(told, i * 32, (i + 1) * 32));
  const owner = word(2);
  if (owner >> 160n !== 0n) return null;
  return {
    number: word(0),
    timestamp: word(1),
    owner: getAddress(numberToHex(owner, { size: 20 })),
    epoch: Number(word(3)),
    limits: {
      perDeal: word(4),
      day: word(5),
      week: word(6),
      month: word(7),
      total: word(8),
      spendable: word(9),
    },
    balance: word(10),
    likelyIsAccount: bound.success && bound.returnData !== '0x',
  };
}

async function readAt(
  reader: ChainReader,
  { deployment, tokenId, account, likely }: ChainStateQuery,
  block: bigint,
): Promise<AgentChainState> {
  const reading = readAgentOwner(reader, deployment, tokenId, block);
  const [owner, beneficialOwner, epoch, limits, balance] = await Promise.all([
    reading,
    ultimateOwnerOf(reader, reading, likely, block),
    readAgentEpoch(reader, deployment, tokenId, block),
    readLimits(reader, deployment, tokenId, block),
    readBalance(reader, deployment, account, block),
  ]);
  return { block, owner, beneficialOwner, epoch, limits, balance };
}
