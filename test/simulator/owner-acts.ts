import { Refusal } from '../../agents/errors.ts';
import { ReaderError } from '../../chain/rpc/reader.ts';
import { stopIfMoved } from '../../runtime/agent/follow-agents.ts';
import { readLive } from '../../runtime/agent/live-agent.ts';
import { confirmAct } from '../../runtime/agent/owner-acts/confirm.ts';
import type { Proposal } from '../../runtime/agent/owner-acts/propose.ts';
import { proposeMandate } from '../../runtime/agent/owner-acts/propose-mandate.ts';
import { type SessionAction, sessionAct } from '../../runtime/agent/owner-acts/session-act.ts';
import type { Services } from '../../runtime/services.ts';
import type { AgentRow } from '../../store/agent/agents.ts';
import { requireAgent } from './chain-state.ts';
import { ownerAddress, signAsOwner } from './owners.ts';
import type { Surroundings } from './service.ts';
import type { World } from './world.ts';

const done = (): void => {};

/**
 * Does what `POST /agent/{handle}/session` and its confirmation do: the owner is given documents and signs them. Some
 * owners never sign, some sign only after the chain has moved on, and some sign documents of somebody else.
 */
export async function signedAct(
  { world }: Surroundings,
  services: Services,
  agent: AgentRow,
  action: SessionAction,
): Promise<void> {
  const live = await readLive(services, agent);
  const proposal = await sessionAct(services, live, action, done);
  await signAndConfirm(world, services, agent, { owner: live.chain.owner, proposal, kind: action });
}

/** What `POST /agent/{handle}/mandate` and its confirmation do. */
export async function mandateAct(
  { world }: Surroundings,
  services: Services,
  agent: AgentRow,
  text: string,
): Promise<void> {
  const live = await readLive(services, agent);
  const proposal = await proposeMandate(services, live, text, done);
  const { version } = proposal;
  await signAndConfirm(world, services, agent, {
    owner: live.chain.owner,
    proposal,
    kind: 'mandate',
    version,
  });
}

interface Asked {
  readonly owner: string;
  readonly proposal: Proposal | null;
  readonly kind: SessionAction | 'mandate';
  readonly version?: number;
}

async function signAndConfirm(
  world: World,
  services: Services,
  agent: AgentRow,
  { owner, proposal, kind, ...version }: Asked,
): Promise<void> {
  const mood = world.random.below(20);
  if (proposal === null || mood === 0) return;
  if (mood < 4) await new Promise((wake) => setTimeout(wake, world.random.below(40_000)));
  const by = mood === 4 ? ownerAddress(99) : owner;
  const [first, key] = proposal.documents.map((document) => signAsOwner(by, document));
  await world.reach(world.current, `sign ${kind}`);
  const now = await readLive(services, agent);
  try {
    await confirmAct(services, now, { kinds: [kind], ...version }, { first: first!, key: key ?? null }, done);
    if (mood === 4) throw new Error('another one signed in the place of the owner');
  } catch (error) {
    if (mood !== 4 || !(error instanceof Refusal)) throw error;
  }
}

/** The owner's wallet transfers the agent, and the service notices it as in its periodic tasks. */
export async function handOn(
  { chain, world }: Surroundings,
  services: Services,
  agent: AgentRow,
  to: string,
): Promise<boolean> {
  const known = chain.state.agents.get(agent.token_id);
  // The chain went back behind its mint: the wallet has nothing to transfer.
  if (known === undefined) return false;
  const { epoch } = known;
  chain.act((state) => {
    const on = requireAgent(state, agent.token_id);
    state.agents.set(agent.token_id, { ...on, owner: to, epoch: on.epoch + 1 });
  });
  for (let i = 0; i < 60; i++) {
    await new Promise((wake) => setTimeout(wake, 500));
    await world.reach(world.current, 'look for a transfer');
    if ((chain.state.agents.get(agent.token_id)?.epoch ?? 0) <= epoch) continue;
    try {
      return await stopIfMoved(services, agent, BigInt(chain.head.number));
    } catch (error) {
      if (!(error instanceof ReaderError)) throw error;
    }
  }
  return false;
}
