import {
  type Abi,
  type Address,
  concat,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  multicall3Abi,
  numberToHex,
  parseAbi,
  size,
  slice,
} from 'viem';
import { agentNftAbi } from './abi/agent-nft.ts';
import { spendPolicyAbi } from './abi/spend-policy.ts';
import { type LiveLimits, readAgentEpoch, readAgentOwner, readLimits } from './agents.ts';
import type { Deployment } from './deployment.ts';
import { MULTICALL3 } from './multicall3-code.ts';
import { type ChainReader, type Head, type ReadCall, ReaderError } from './readers/reader.ts';
import { TOKEN_OF_ACCOUNT, ultimateOwner } from './ultimate-owner.ts';

/** Whose an agent is, and what it may still spend, at one block. */
export interface AgentStanding {
  readonly block: bigint;
  readonly owner: Address;
  /** Who stands behind the owner, lower case; null where nobody can tell. */
  readonly behind: Address | null;
  readonly epoch: number;
  readonly limits: LiveLimits;
}

const CLOCK: Abi = parseAbi([
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
]);

/** Which agent is meant, and the call that asks for all of it together: whoever asks again encodes no more. */
export interface StandingQuestion {
  readonly deployment: Deployment;
  readonly tokenId: bigint;
  /** Who probably owns it: who stands behind that one is asked beside the rest, and again where another does. */
  readonly likely: Address;
  readonly call: ReadCall;
}

/** @param likely who probably owns it */
export function standingQuestion(deployment: Deployment, tokenId: bigint, likely: Address): StandingQuestion {
  const { agentNft, policy, usdc } = deployment;
  const args = [
    [
      part(MULTICALL3, CLOCK, 'getBlockNumber'),
      part(MULTICALL3, CLOCK, 'getCurrentBlockTimestamp'),
      part(agentNft, agentNftAbi, 'ownerOf', tokenId),
      part(agentNft, agentNftAbi, 'epochOf', tokenId),
      part(policy, spendPolicyAbi, 'remaining', tokenId, usdc),
      { ...part(likely, TOKEN_OF_ACCOUNT, 'token'), allowFailure: true },
    ],
  ] as const;
  const asked = { abi: multicall3Abi, functionName: 'aggregate3', args } as const;
  const call = { ...asked, address: MULTICALL3, data: encodeFunctionData(asked), block: 'latest' } as const;
  return { deployment, tokenId, likely, call };
}

function part(target: Address, abi: Abi, functionName: string, ...args: readonly unknown[]) {
  return { target, allowFailure: false, callData: encodeFunctionData({ abi, functionName, args }) };
}

/**
 * Whose an agent is and what it may still spend, at the head. Asked in one exchange where the chain has Multicall3,
 * whose answer is all of one block and says of which; where it has none, or answers of another block than the node's
 * head, at the head by number.
 * @throws ReaderError; reverted when there is no such agent
 */
export async function readAgentStanding(
  reader: ChainReader,
  question: StandingQuestion,
): Promise<AgentStanding> {
  const [head, together] = await Promise.all([reader.head(), askTogether(reader, question.call)]);
  const { number: block } = head;
  if (together === null || !isAt(head, together)) return await readAt(reader, question, block);
  const { owner, epoch, limits, likelyIsAccount } = together;
  const known = isAddressEqual(owner, question.likely) && !likelyIsAccount;
  const behind = known ? (owner.toLowerCase() as Address) : await ultimateOwner(reader, owner, block);
  return { block, owner, behind, epoch, limits };
}

interface Together extends Omit<AgentStanding, 'behind' | 'block'> {
  readonly number: bigint;
  readonly timestamp: bigint;
  /** It answers what token it is bound to, whatever it answers. */
  readonly likelyIsAccount: boolean;
}

function isAt(head: Head, { number, timestamp }: Together): boolean {
  return number === head.number && timestamp === head.timestamp;
}

/** What each part of the question answers, in its order. */
type Answers = readonly { readonly success: boolean; readonly returnData: Hex }[];

/** How many words each of them is, up to the last; all are numbers, the owner too. */
const WORDS = [1, 1, 1, 1, 6] as const;

/** @returns null where the chain cannot be asked so, and where a part of it is refused or answers something else */
async function askTogether(reader: ChainReader, call: ReadCall): Promise<Together | null> {
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
    likelyIsAccount: bound.success && bound.returnData !== '0x',
  };
}

async function readAt(
  reader: ChainReader,
  { deployment, tokenId, likely }: StandingQuestion,
  block: bigint,
): Promise<AgentStanding> {
  const [owner, epoch, limits, guessed] = await Promise.all([
    readAgentOwner(reader, deployment, tokenId, block),
    readAgentEpoch(reader, deployment, tokenId, block),
    readLimits(reader, deployment, tokenId, block),
    ultimateOwner(reader, likely, block),
  ]);
  const behind = isAddressEqual(owner, likely) ? guessed : await ultimateOwner(reader, owner, block);
  return { block, owner, behind, epoch, limits };
}
