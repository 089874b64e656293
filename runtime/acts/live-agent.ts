import { AppError } from '../../agents/errors.ts';
import type { Address } from '../../agents/ids.ts';
import { type AgentOnChain, readAgentOnChain } from '../../chain/agents.ts';
import { ReaderError } from '../../chain/readers/reader.ts';
import { ultimateOwner } from '../../chain/ultimate-owner.ts';
import { type AgentRow, findAgent } from '../../store/agents.ts';
import type { Services } from '../services.ts';

export interface LiveAgent {
  readonly agent: AgentRow;
  /** Read now, at one block: what is cached decides nothing. */
  readonly chain: AgentOnChain;
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
  try {
    const { number } = await readers.viem.head();
    return { agent, chain: await readAgentOnChain(readers.viem, deployment, agent.token_id, number) };
  } catch (error) {
    if (error instanceof ReaderError) {
      throw new AppError('unavailable', `Chain ${agent.chain_id} cannot be read now.`, { cause: error });
    }
    throw error;
  }
}

/**
 * Who stands behind an agent's owner, lower case: of one such, orders never match one another.
 * @throws AppError unavailable when the chain cannot be read, or tells of accounts without end
 */
export async function beneficialOwner({ home }: Services, { agent, chain }: LiveAgent): Promise<Address> {
  try {
    const owner = await ultimateOwner(home.readers.viem, chain.owner, chain.block);
    if (owner !== null) return owner;
  } catch (error) {
    if (!(error instanceof ReaderError)) throw error;
    throw new AppError('unavailable', `Chain ${agent.chain_id} cannot be read now.`, { cause: error });
  }
  throw new AppError('unavailable', `Nobody can tell who stands behind the owner of "${agent.handle}".`);
}
