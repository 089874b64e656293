import type { Address } from '../../agents/ids.ts';
import { readAgentStanding, type StandingQuestion, standingQuestion } from '../../chain/agent-standing.ts';
import type { AgentRow } from '../../store/agents.ts';
import type { Database } from '../../store/database.ts';
import { type Look, lookBeforeOrder, type Outset, outsetOf } from '../../store/order-standing.ts';
import { BoundedMap } from '../bounded-map.ts';
import type { Services } from '../services.ts';
import { foundAgent, type OrderingAgent, overHome } from './live-agent.ts';

/** An agent as its last order found it: where to look, before anybody knows whether it is so still. */
interface Seen extends Outset {
  /** Who stood behind its owner. */
  readonly behind: Address;
  /** What the chain is asked of it. */
  readonly question: StandingQuestion;
}

/** By the database that they were read from. */
const seen = new WeakMap<Database, Map<string, Seen>>();
const MOST_SEEN = 10_000;

/**
 * All that an order of it needs of the chain, at one block. Of an agent that has ordered here before, the chain and what
 * its order is judged by are read beside one another; what was remembered of it decides nothing, and where any of it
 * has changed all is read anew.
 * @param listingRef null: the order names none
 * @throws AppError not-found, unavailable
 */
export async function readOrdering(
  services: Services,
  handle: string,
  listingRef: string | null,
): Promise<OrderingAgent> {
  const known = seenIn(services.db).get(handle);
  if (known !== undefined && listingRef !== null) {
    const [chain, look] = await Promise.all([
      standing(services, known.agent, known.question),
      lookBeforeOrder(services.db, {
        ...{ listingRef, handle, owner: known.behind },
        ...{ now: services.now(), probes: services.config.ordersPerLot },
      }),
    ]);
    if (look !== null && isAsSeen(known, look)) {
      const { agent, inForce } = known;
      const { behind } = chain;
      return { agent, chain, readied: { standing: chain, behind, inForce, lot: look.lot, look } };
    }
    seenIn(services.db).delete(handle);
  }
  const outset = foundAgent(handle, await outsetOf(services.db, handle, listingRef));
  const { agent, inForce, lot } = outset;
  const question = standingQuestion(services.home.deployment, agent.token_id, agent.owner as Address);
  const chain = await standing(services, agent, question);
  if (chain.behind !== null) seenIn(services.db).set(handle, { ...outset, behind: chain.behind, question });
  return { agent, chain, readied: { standing: chain, behind: chain.behind, inForce, lot, look: null } };
}

/** It has not changed hands, and no mandate has come into force since before the chain was asked. */
function isAsSeen({ agent, inForce }: Seen, { before }: Look): boolean {
  return before.agentEpoch === agent.epoch && before.mandate?.version === inForce;
}

function standing({ home }: Services, agent: AgentRow, question: StandingQuestion) {
  return overHome(agent, () => readAgentStanding(home.readers.viem, question));
}

function seenIn(db: Database): Map<string, Seen> {
  let agents = seen.get(db);
  if (!agents) {
    agents = new BoundedMap(MOST_SEEN);
    seen.set(db, agents);
  }
  return agents;
}
