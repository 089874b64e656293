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

/** @throws AppError not-found */
export async function requireAgent(services: Services, handle: string): Promise<AgentRow> {
  const agent = await findAgent(services.db, handle);
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
export async function readStanding(
  services: Services,
  agent: AgentRow,
): Promise<{ readonly limits: LiveLimits; readonly epoch: number }> {
  const { readers, deployment } = services.home;
  return await atHead(services, agent, async (block) => {
    const [limits, epoch] = await Promise.all([
      readLimits(readers.viem, deployment, agent.token_id, block),
      readAgentEpoch(readers.viem, deployment, agent.token_id, block),
    ]);
    return { limits, epoch };
  });
}

async function atHead<T>(
  { home }: Services,
  agent: AgentRow,
  read: (block: bigint) => Promise<T>,
): Promise<T> {
  try {
    const { number } = await home.readers.viem.head();
    return await read(number);
  } catch (error) {
    if (!(error instanceof ReaderError)) throw error;
    throw new AppError('unavailable', `Chain ${agent.chain_id} cannot be read now.`, { cause: error });
  }
}

/**
 * Who stands behind an agent's owner, lower case: of one such, orders never match one another.
 * @throws AppError unavailable when the chain cannot be read, or tells of accounts without end
 */
export async function beneficialOwner({ home }: Services, { agent, chain }: OwnedAgent): Promise<Address> {
  try {
    const owner = await ultimateOwner(home.readers.viem, chain.owner, chain.block);
    if (owner !== null) return owner;
  } catch (error) {
    if (!(error instanceof ReaderError)) throw error;
    throw new AppError('unavailable', `Chain ${agent.chain_id} cannot be read now.`, { cause: error });
  }
  throw new AppError('unavailable', `Nobody can tell who stands behind the owner of "${agent.handle}".`);
}
