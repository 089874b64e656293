import { AppError } from '../../agents/errors.ts';
import type { Address } from '../../agents/ids.ts';
import {
  type AgentOnChain,
  type LiveLimits,
  readAgentEpoch,
  readAgentOnChain,
  readAgentOwner,
  readLimits,
} from '../../chain/agents.ts';
import { ReaderError } from '../../chain/readers/reader.ts';
import { ultimateOwner } from '../../chain/ultimate-owner.ts';
import { type AgentRow, findAgent } from '../../store/agents.ts';
import type { Look } from '../../store/order-standing.ts';
import type { Services } from '../services.ts';

export interface LiveAgent {
  readonly agent: AgentRow;
  /** Read now, at one block: what is cached decides nothing. */
  readonly chain: AgentOnChain;
}

/** Of a live agent what tells whose it is. */
export interface OwnedAgent {
  readonly agent: AgentRow;
  readonly chain: Pick<AgentOnChain, 'owner' | 'block'>;
}

/** What an agent may still spend, and how often it has changed hands. */
export interface Standing {
  readonly block: bigint;
  readonly limits: LiveLimits;
  readonly epoch: number;
}

/** An agent that is about to order, with what its order needs of the chain. */
export interface OrderingAgent extends OwnedAgent {
  /** Left out where it is still to be read. */
  readonly readied?: {
    readonly standing: Standing;
    /** Who stands behind the owner; null where nobody can tell. */
    readonly behind: Address | null;
    /** The version of its mandate that was in force before the chain was asked. */
    readonly inForce: number | null;
    /** The key of the lot that the listing named is of. */
    readonly lot: string | null;
    /** What its order is judged by, seen beside the chain; null where that was not looked at. */
    readonly look: Look | null;
  };
}

/** @throws AppError not-found */
export async function requireAgent(services: Services, handle: string): Promise<AgentRow> {
  return foundAgent(handle, await findAgent(services.db, handle));
}

/** @throws AppError not-found */
export function foundAgent<T>(handle: string, agent: T | null): T {
  if (!agent) throw new AppError('not-found', `There is no agent "${handle}".`);
  return agent;
}

/** @throws AppError unavailable when the chain cannot be read: what is unknown is not allowed */
export async function readLive(services: Services, agent: AgentRow): Promise<LiveAgent> {
  const { readers, deployment } = services.home;
  const chain = await atHead(services, agent, (block) =>
    readAgentOnChain(readers.viem, deployment, agent.token_id, block),
  );
  return { agent, chain };
}

/** Whose it is now, and no more. @throws AppError unavailable */
export async function readOwned(services: Services, agent: AgentRow): Promise<OwnedAgent> {
  const { readers, deployment } = services.home;
  const chain = await atHead(services, agent, async (block) => ({
    block,
    owner: await readAgentOwner(readers.viem, deployment, agent.token_id, block),
  }));
  return { agent, chain };
}

/** What it may still spend now, and how often it has changed hands. @throws AppError unavailable */
export async function readStanding(services: Services, agent: AgentRow): Promise<Standing> {
  const { readers, deployment } = services.home;
  return await atHead(services, agent, async (block) => {
    const [limits, epoch] = await Promise.all([
      readLimits(readers.viem, deployment, agent.token_id, block),
      readAgentEpoch(readers.viem, deployment, agent.token_id, block),
    ]);
    return { block, limits, epoch };
  });
}

async function atHead<T>(
  { home }: Services,
  agent: AgentRow,
  read: (block: bigint) => Promise<T>,
): Promise<T> {
  return await overHome(agent, async () => {
    const { number } = await home.readers.viem.head();
    return await read(number);
  });
}

/** @throws AppError unavailable when the chain cannot be read */
export async function overHome<T>(agent: AgentRow, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ReaderError)) throw error;
    throw new AppError('unavailable', `Chain ${agent.chain_id} cannot be read now.`, { cause: error });
  }
}

/**
 * Who stands behind an agent's owner, lower case: of one such, orders never match one another.
 * @throws AppError unavailable when the chain cannot be read, or tells of accounts without end
 */
export async function beneficialOwner(
  { home }: Services,
  { agent, chain, readied }: OrderingAgent,
): Promise<Address> {
  const owner = readied
    ? readied.behind
    : await overHome(agent, () => ultimateOwner(home.readers.viem, chain.owner, chain.block));
  if (owner !== null) return owner;
  throw new AppError('unavailable', `Nobody can tell who stands behind the owner of "${agent.handle}".`);
}
