import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  multicall3Abi,
  parseAbi,
} from 'viem';
import { agentNftAbi } from './abi/agent-nft.ts';
import { spendPolicyAbi } from './abi/spend-policy.ts';
import { type LiveLimits, readAgentEpoch, readAgentOwner, readLimits } from './agents.ts';
import type { Deployment } from './deployment.ts';
import { MULTICALL3 } from './multicall3-code.ts';
import { type ChainReader, type Head, ReaderError } from './readers/reader.ts';
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

/**
 * Whose an agent is and what it may still spend, at the head. Asked in one exchange where the chain has Multicall3,
 * whose answer is all of one block and says of which; where it has none, or answers of another block than the node's
 * head, at the head by number.
 * @param likely who probably owns it: who stands behind that one is asked beside the rest, and again where another does
 * @throws ReaderError; reverted when there is no such agent
 */
export async function readAgentStanding(
  reader: ChainReader,
  deployment: Deployment,
  tokenId: bigint,
  likely: Address,
): Promise<AgentStanding> {
  const [head, together] = await Promise.all([
    reader.head(),
    askTogether(reader, deployment, tokenId, likely),
  ]);
  const { number: block } = head;
  if (together === null || !isAt(head, together))
    return await readAt(reader, deployment, tokenId, likely, block);
  const { owner, epoch, limits, likelyIsAccount } = together;
  const known = isAddressEqual(owner, likely) && !likelyIsAccount;
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

/** @returns null where the chain cannot be asked so, and where a part of it is refused */
async function askTogether(
  reader: ChainReader,
  { agentNft, policy, usdc }: Deployment,
  tokenId: bigint,
  likely: Address,
): Promise<Together | null> {
  const calls = [
    call(MULTICALL3, CLOCK, 'getBlockNumber'),
    call(MULTICALL3, CLOCK, 'getCurrentBlockTimestamp'),
    call(agentNft, agentNftAbi, 'ownerOf', tokenId),
    call(agentNft, agentNftAbi, 'epochOf', tokenId),
    call(policy, spendPolicyAbi, 'remaining', tokenId, usdc),
    { ...call(likely, TOKEN_OF_ACCOUNT, 'token'), allowFailure: true },
  ] as const;
  let answers: readonly { readonly success: boolean; readonly returnData: Hex }[];
  try {
    const args = [calls.map(({ target, allowFailure, callData }) => ({ target, allowFailure, callData }))];
    const asked = { address: MULTICALL3, abi: multicall3Abi, functionName: 'aggregate3', args };
    answers = (await reader.read({ ...asked, block: 'latest' })) as typeof answers;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return null;
    throw error;
  }
  const [number, timestamp, owner, epoch, limits] = calls
    .slice(0, -1)
    .map((c, i) => decodeFunctionResult({ ...c.of, data: answers[i]!.returnData }));
  const bound = answers.at(-1)!;
  return {
    ...{ number: number as bigint, timestamp: timestamp as bigint },
    ...{ owner: owner as Address, epoch: epoch as number, limits: limits as LiveLimits },
    likelyIsAccount: bound.success && bound.returnData !== '0x',
  };
}

function call(target: Address, abi: Abi, functionName: string, ...args: readonly unknown[]) {
  const of = { abi, functionName, args };
  return { of, target, allowFailure: false, callData: encodeFunctionData(of) };
}

async function readAt(
  reader: ChainReader,
  deployment: Deployment,
  tokenId: bigint,
  likely: Address,
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
