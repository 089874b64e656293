import type { PinnedBlocks } from '../../../../agents/determinations/panel/types.ts';
import type { ShillFacts } from '../../../../agents/determinations/shill/shill-evidence.ts';
import { accountKind } from '../../../../agents/determinations/wallet/code/account-code.ts';
import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import type { ChainReader, Place } from '../../../../chain/rpc/reader.ts';
import type { Database } from '../../../../store/database.ts';
import { faultOf, SEAT_TIMEOUT_MS, within } from '../../deps.ts';
import { pinnedPlace, requirePinned } from '../../pins.ts';
import { AGENT_ABI } from '../agent/agent-abi.ts';
import { readFunding } from './funding.ts';

/** An agent may own an agent. Owners further up than this are not read, and the answer says so. */
const MAX_OWNERS = 8;

/** An agent of a deal, as the directory has it. Addresses in lower case. */
export interface AgentOnChain {
  readonly handle: string;
  readonly tokenId: bigint;
  readonly account: string;
  readonly sessionKey: string;
}

/**
 * Live owners and keys of both sides, and the money between them, through one reader at the pinned block.
 * @param agents the buyer, then the seller
 * @param at the blocks, and the moment at which lists must be in force
 * @param timeoutMs how long the transfers may take
 */
export async function readIdentities(
  db: Database,
  reader: ChainReader | null,
  deployment: Deployment | undefined,
  agents: readonly [AgentOnChain, AgentOnChain],
  { blocks, at }: { readonly blocks: PinnedBlocks; readonly at: Date },
  timeoutMs: number = SEAT_TIMEOUT_MS / 2,
): Promise<ShillFacts> {
  const unread = (fault: string): ShillFacts => ({
    owners: agents.map((a) => ({ handle: a.handle, owners: null, fault })),
    sharedKey: null,
    funding: null,
    fault,
  });
  if (reader === null || deployment === undefined) return unread('no RPC URL is configured for this chain');
  try {
    const block = pinnedPlace(blocks, reader.chainId);
    const [one, other] = agents;
    const keyIsLive = (agent: AgentOnChain, key: string): Promise<unknown> =>
      reader.read({
        address: deployment.policy,
        abi: AGENT_ABI,
        functionName: 'keyIsLive',
        args: [agent.tokenId, key],
        block,
      });
    const [owners, firstTakes, secondTakes] = await Promise.all([
      Promise.all(agents.map((a) => readOwners(reader, deployment, a, block))),
      keyIsLive(one, other.sessionKey),
      keyIsLive(other, one.sessionKey),
    ]);
    const when = { block: block.number, at };
    const transfers = await fundingOf({ db, reader, deployment }, agents, owners, when, timeoutMs);
    // The transfers are read by number: the pinned block must still stand.
    await requirePinned(reader, blocks);
    return { owners, sharedKey: firstTakes === true || secondTakes === true, ...transfers };
  } catch (error) {
    return unread(faultOf(error));
  }
}

/**
 * Transfers are many. A node that does not list them in time does not invalidate what it said about owners and keys.
 */
async function fundingOf(
  { db, reader, deployment }: { db: Database; reader: ChainReader; deployment: Deployment },
  [buyer, seller]: readonly [AgentOnChain, AgentOnChain],
  owners: ShillFacts['owners'],
  { block, at }: { readonly block: bigint; readonly at: Date },
  timeoutMs: number,
): Promise<Pick<ShillFacts, 'funding' | 'fault'>> {
  const side = (agent: AgentOnChain): string[] => [
    agent.account,
    agent.sessionKey,
    ...(owners.find((o) => o.handle === agent.handle)?.owners ?? []),
  ];
  const sides = { buyer: side(buyer), seller: side(seller) };
  try {
    const reading = readFunding(db, reader, deployment, sides, block, at);
    return { funding: await within(reading, timeoutMs, 'the list of transfers'), fault: null };
  } catch (error) {
    return { funding: null, fault: faultOf(error) };
  }
}

/**
 * Reads the owners from the agent NFT's holder up through every ERC-6551 account to the first owner that is not one.
 */
async function readOwners(
  reader: ChainReader,
  deployment: Deployment,
  agent: AgentOnChain,
  block: Place,
): Promise<ShillFacts['owners'][number]> {
  const owners: string[] = [];
  let [contract, tokenId] = [deployment.agentNft as string, agent.tokenId];
  while (owners.length < MAX_OWNERS) {
    const owner = await ownerOf(reader, contract, tokenId, block);
    owners.push(owner);
    const head = await reader.code(owner as `0x${string}`, block);
    const size = (head.length - 2) / 2;
    const account = accountKind({ size, hash: null, head, implementation: null });
    if (account.kind !== 'token-bound' || account.chainId !== String(reader.chainId)) {
      return { handle: agent.handle, owners, fault: null };
    }
    [contract, tokenId] = [account.contract, BigInt(account.tokenId)];
  }
  return {
    handle: agent.handle,
    owners: null,
    fault: `more than ${MAX_OWNERS} owners stand above one another`,
  };
}

async function ownerOf(
  reader: ChainReader,
  contract: string,
  tokenId: bigint,
  block: Place,
): Promise<string> {
  const address = contract as `0x${string}`;
  const owner = await reader.read({
    address,
    abi: AGENT_ABI,
    functionName: 'ownerOf',
    args: [tokenId],
    block,
  });
  return String(owner).toLowerCase();
}
