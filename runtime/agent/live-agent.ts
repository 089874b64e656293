import { AppError } from '../../agents/errors.ts';
import type { Address } from '../../agents/ids.ts';
import {
  type AgentOnChain,
  type LiveLimits,
  readAgentEpoch,
  readAgentOnChain,
  readAgentOwner,
  readLimits,
} from '../../chain/clients/agents.ts';
import { ultimateOwner } from '../../chain/clients/ultimate-owner.ts';
import { type AgentRow, findAgent, findMandate } from '../../store/agent/agents.ts';
import { overChain } from '../determinations/public.ts';
import type { Services } from '../services.ts';

export interface LiveAgent {
  readonly agent: AgentRow;
  /** Read now, at one block: a cached value must not decide anything. */
  readonly chain: AgentOnChain;
}

/** An agent and its owner on chain. */
export interface OwnedAgent {
  readonly agent: AgentRow;
  readonly chain: Pick<AgentOnChain, 'owner' | 'block'>;
}

/** What an agent may still spend, and its epoch: how often it was transferred. */
export interface SpendingState {
  readonly block: bigint;
  readonly limits: LiveLimits;
  readonly epoch: number;
}

/** What an agent may still spend, read before anything is locked. */
export interface SpendingLook {
  readonly spending: SpendingState;
  /** The version of its mandate that was in force before the chain was asked; null: none. */
  readonly inForce: number | null;
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

/** Reads only who owns it now. @throws AppError unavailable */
export async function readOwned(services: Services, agent: AgentRow): Promise<OwnedAgent> {
  const { readers, deployment } = services.home;
  const chain = await atHead(services, agent, async (block) => ({
    block,
    owner: await readAgentOwner(readers.viem, deployment, agent.token_id, block),
  }));
  return { agent, chain };
}

/** Reads what it may still spend, and its epoch: before a transaction, never within one. @throws AppError unavailable */
export async function lookAtSpending(services: Services, agent: AgentRow): Promise<SpendingLook> {
  const { readers, deployment } = services.home;
  const inForce = (await findMandate(services.db, agent.handle))?.version ?? null;
  const spending = await atHead(services, agent, async (block) => {
    const [limits, epoch] = await Promise.all([
      readLimits(readers.viem, deployment, agent.token_id, block),
      readAgentEpoch(readers.viem, deployment, agent.token_id, block),
    ]);
    return { block, limits, epoch };
  });
  return { spending, inForce };
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
  return await overChain(agent.chain_id, read);
}

/**
 * The beneficial owner of an agent, lower case. Orders with the same one never match each other.
 * @throws AppError unavailable when the chain cannot be read, or accounts own each other in a circle
 */
export async function beneficialOwner({ home }: Services, { agent, chain }: OwnedAgent): Promise<Address> {
  const owner = await overHome(agent, () => ultimateOwner(home.readers.viem, chain.owner, chain.block));
  return knownOwner(agent.handle, owner);
}

/** @throws AppError unavailable when it cannot be determined */
export function knownOwner(handle: string, beneficialOwner: Address | null): Address {
  if (beneficialOwner !== null) return beneficialOwner;
  throw new AppError('unavailable', `Nobody can tell who stands behind the owner of "${handle}".`);
}

/** The beneficial owner of a wallet of chain 1002 now, lower case. @throws AppError unavailable */
export async function beneficialOwnerOf({ home }: Services, wallet: Address): Promise<Address> {
  const beneficialOwner = await overChain(home.chainId, async () => {
    const { number } = await home.readers.viem.head();
    return await ultimateOwner(home.readers.viem, wallet, number);
  });
  if (beneficialOwner !== null) return beneficialOwner;
  throw new AppError('unavailable', `Nobody can tell who stands behind ${wallet}.`);
}
