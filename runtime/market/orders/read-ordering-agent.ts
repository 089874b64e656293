import type { Address } from '../../../agents/ids.ts';
import type { Micro } from '../../../agents/money.ts';
import {
  type ChainStateQuery,
  chainStateQuery,
  readAgentChainState,
} from '../../../chain/clients/agent-chain-state.ts';
import type { AgentRow } from '../../../store/agent/agents.ts';
import type { Database } from '../../../store/database.ts';
import {
  type OrderSnapshot,
  type OrderSubject,
  readOrderSnapshot,
  readOrderSubject,
} from '../../../store/market/order-context.ts';
import { foundAgent, type OwnedAgent, overHome, type SpendingLook } from '../../agent/public.ts';
import { BoundedMap } from '../../bounded-map.ts';
import type { Services } from '../../services.ts';

/** What the last order read about an agent. It tells where to read, and may be out of date. */
interface Seen extends OrderSubject {
  /** Its beneficial owner at that time. */
  readonly beneficialOwner: Address;
  /** The question that the chain is asked about it. */
  readonly question: ChainStateQuery;
}

/** By the database from which it was read. */
const seen = new WeakMap<Database, Map<string, Seen>>();
const MOST_SEEN = 10_000;

/** An agent that is about to order, with its state on chain and, if its listing is named, the rows. */
export interface OrderingAgent extends OwnedAgent, SpendingLook {
  /** Null when it cannot be determined. */
  readonly beneficialOwner: Address | null;
  /** The USDC in its account, at the block of its caps. */
  readonly balance: Micro;
  /** What its order is judged by; null: no listing was named, or there is none. */
  readonly look: OrderSnapshot | null;
}

/**
 * Reads everything from the chain that an order of this agent needs, at one block, and the snapshot by which the order
 * is judged. For an agent that has ordered here before, both are read at the same time. Cached values only tell where
 * to read: when any of them has changed, everything is read again.
 * @param listingRef null when the order names none
 * @throws AppError not-found, unavailable
 */
export async function readOrderingAgent(
  services: Services,
  handle: string,
  listingRef: string | null,
): Promise<OrderingAgent> {
  const known = seenIn(services.db).get(handle);
  if (known !== undefined && listingRef !== null) {
    const [chain, look] = await Promise.all([
      standing(services, known.agent, known.question),
      lookAtLot(services, { listingRef, handle, owner: known.beneficialOwner }),
    ]);
    if (look !== null && isAsSeen(known, look, chain)) {
      const { agent, inForce } = known;
      const { beneficialOwner, balance } = chain;
      return { agent, chain, spending: chain, inForce, beneficialOwner, balance, look };
    }
    seenIn(services.db).delete(handle);
  }
  const subject = foundAgent(handle, await readOrderSubject(services.db, handle));
  const { agent, inForce } = subject;
  const question = chainStateQuery(services.home.deployment, {
    tokenId: agent.token_id,
    account: agent.account as Address,
    likely: agent.owner as Address,
  });
  const chain = await standing(services, agent, question);
  const { beneficialOwner, balance } = chain;
  const ordering = { agent, chain, spending: chain, inForce, beneficialOwner, balance };
  if (beneficialOwner === null) return { ...ordering, look: null };
  seenIn(services.db).set(handle, { ...subject, beneficialOwner, question });
  const look =
    listingRef === null ? null : await lookAtLot(services, { listingRef, handle, owner: beneficialOwner });
  return { ...ordering, look };
}

/** Reads what an order on a listing is judged by from the database. @returns null when there is no listing */
export async function lookAtLot(
  { db, config, now }: Services,
  about: { readonly listingRef: string; readonly handle: string; readonly owner: string },
): Promise<OrderSnapshot | null> {
  return await readOrderSnapshot(db, { ...about, now: now(), probes: config.ordersPerLot });
}

/** Whether the agent has the same owner and mandate as when the chain was asked. */
function isAsSeen(
  { agent, inForce, beneficialOwner }: Seen,
  { before }: OrderSnapshot,
  chain: Pick<OrderingAgent, 'beneficialOwner'>,
): boolean {
  return (
    before.agentEpoch === agent.epoch &&
    (before.mandate?.version ?? null) === inForce &&
    chain.beneficialOwner === beneficialOwner
  );
}

function standing({ home }: Services, agent: AgentRow, question: ChainStateQuery) {
  return overHome(agent, () => readAgentChainState(home.readers.viem, question));
}

function seenIn(db: Database): Map<string, Seen> {
  let agents = seen.get(db);
  if (!agents) {
    agents = new BoundedMap(MOST_SEEN);
    seen.set(db, agents);
  }
  return agents;
}
