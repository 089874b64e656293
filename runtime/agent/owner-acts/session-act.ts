import { AppError } from '../../../agents/errors.ts';
import { readPauses } from '../../../chain/clients/policy-keys.ts';
import { holdAgent, openAct } from '../../../store/agent/owner-acts.ts';
import type { Trx } from '../../../store/database.ts';
import { withdrawOrders } from '../../../store/market/withdrawals.ts';
import { overChain } from '../../determinations/public.ts';
import { applyEvent } from '../../durable/actors/apply-event.ts';
import type { ActorEvent } from '../../durable/actors/durable-machine.ts';
import { agentActor } from '../../machines.ts';
import type { LastCall, Services } from '../../services.ts';
import type { LiveAgent } from '../live-agent.ts';
import { type Proposal, propose, readSlot, requireCanonical } from './propose.ts';
import { freshKey } from './propose-mandate.ts';

export const SESSION_ACTIONS = ['pause', 'resume', 'rotate', 'retire'] as const;
export type SessionAction = (typeof SESSION_ACTIONS)[number];

/**
 * Performs an owner's action on the session of its agent. Here it takes effect at once: a paused or retired agent has
 * nothing on the book when this returns, whatever the chain knows by then, but for what stands in a running auction,
 * which buys and sells nothing while the agent is stopped. An agent that is not paused on chain resumes.
 * @returns the documents with which the owner makes the contract enforce it, to be signed; null while an earlier signed
 *   act is still on its way to the chain
 * @throws AppError agent-not-active (retired), conflict (its owner has not paused it; a signed act is on its way),
 *   unavailable
 */
export async function sessionAct(
  services: Services,
  live: LiveAgent,
  action: SessionAction,
  lastCall: LastCall,
): Promise<Proposal | null> {
  const { agent } = live;
  if (action !== 'retire' || agent.status !== 'retired') await requireCanonical(services, live);
  const stops = action === 'pause' || action === 'retire';
  const slot = await readSlot(services, live);
  const onChain = action === 'resume' ? await pausedOnChain(services, live, slot.block) : false;
  if (
    action === 'resume' &&
    !onChain &&
    !agent.suspension_reasons.some((h) => h === 'owner' || h === 'owner-on-chain')
  )
    throw new AppError(
      'conflict',
      agent.suspension_reasons.length === 0
        ? `"${agent.handle}" is not paused: there is nothing to resume.`
        : `"${agent.handle}" is not paused by its owner, but held by: ${agent.suspension_reasons.join(', ')}.`,
    );
  if (action === 'rotate' && live.chain.epoch !== agent.epoch)
    throw new AppError(
      'conflict',
      `"${agent.handle}" changed hands: sign a mandate, which brings a new key.`,
    );
  const proposal = await services.db.transaction().execute(async (trx) => {
    // Before the agent is held: whoever holds an actor and its agent locks the actor first.
    if (stops) await apply(trx, services, agent.handle, STOP[action]);
    else if (action === 'resume' && !onChain)
      await apply(trx, services, agent.handle, { type: 'RESUME', by: ['owner', 'owner-on-chain'] });
    await holdAgent(trx, agent.handle);
    // An act that stops the agent is never refused because another act is on its way.
    const waits = stops && (await openAct(trx, agent.handle))?.status === 'signed';
    const oldKey = agent.session_key as `0x${string}`;
    const detail =
      action === 'rotate' ? { grant: await freshKey(trx, services, live.chain.expiry), oldKey } : {};
    const made = waits
      ? null
      : await propose(trx, services, live, slot, { kind: action, version: null, detail });
    lastCall();
    return made;
  });
  services.notifier.actor(`agent:${agent.handle}`);
  if (stops) await withdrawOrders(services.db, agent.handle, services.now());
  return proposal;
}

const STOP = { pause: { type: 'PAUSE', by: 'owner' }, retire: { type: 'RETIRE' } } as const;

async function apply(trx: Trx, services: Services, handle: string, event: ActorEvent): Promise<void> {
  const eventId = services.newId('owner');
  await applyEvent(trx, agentActor, { key: handle, eventId, event, now: services.now() });
}

async function pausedOnChain({ home }: Services, { agent }: LiveAgent, block: bigint): Promise<boolean> {
  const { readers, deployment, chainId } = home;
  const pauses = () => readPauses(readers.viem, deployment, agent.token_id, block);
  return (await overChain(chainId, pauses)).owner;
}
