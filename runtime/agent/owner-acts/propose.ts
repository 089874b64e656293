import { AppError } from '../../../agents/errors.ts';
import { lowerAddress } from '../../../agents/ids.ts';
import { type NextSlot, nextSlot } from '../../../chain/clients/policy-relay.ts';
import type { TypedDocument } from '../../../chain/tx/typed-signature.ts';
import { type OwnerActRow, proposeAct } from '../../../store/agent/owner-acts.ts';
import type { Trx } from '../../../store/database.ts';
import type { ActDetail } from '../../../store/json-columns.ts';
import { overChain } from '../../determinations/public.ts';
import type { Services } from '../../services.ts';
import { stopIfMoved } from '../follow-agents.ts';
import { beneficialOwner, type LiveAgent } from '../live-agent.ts';
import { changesOf, documentOf } from './act-changes.ts';

/** The documents that an owner is given to sign. */
export interface Proposal {
  readonly act: OwnerActRow;
  /** In the order of their nonces; the second is for the session key, if one is granted. */
  readonly documents: readonly [TypedDocument, ...TypedDocument[]];
}

/** An hour, as for certificates; an agent that retires may first have to wait for its deals. */
const LIFE_SECONDS = 3_600;
const RETIRE_LIFE_SECONDS = 7 * 86_400;

/** What the next signature of an agent's owner must name. */
export interface OwnerSlot extends NextSlot {
  /** The time of the block, in seconds. */
  readonly timestamp: number;
  /** The owner's beneficial owner, lower case, who may read the act later. */
  readonly beneficialOwner: string;
}

/** What the next signature of an agent's owner must name, and the time by the chain. @throws AppError unavailable */
export async function readSlot(services: Services, { agent, chain }: LiveAgent): Promise<OwnerSlot> {
  const { readers, deployment, chainId } = services.home;
  return await overChain(chainId, async () => {
    const { number, timestamp } = await readers.viem.head();
    const [slot, ultimate] = await Promise.all([
      nextSlot(readers.viem, deployment, agent.token_id, number),
      beneficialOwner(services, { agent, chain: { owner: chain.owner, block: number } }),
    ]);
    return { ...slot, beneficialOwner: ultimate, timestamp: Number(timestamp) };
  });
}

/** Stops an agent with a new owner before that owner is given anything to sign. @throws AppError unavailable */
export async function requireCanonical(services: Services, live: LiveAgent): Promise<void> {
  const { agent, chain } = live;
  if (agent.status === 'retired') throw new AppError('agent-not-active', `"${agent.handle}" is retired.`);
  if (chain.epoch === agent.epoch) return;
  await overChain(agent.chain_id, () => stopIfMoved(services, agent, chain.block));
}

/** Stores an act for its owner's signature, in the caller's transaction. @throws AppError conflict */
export async function propose(
  trx: Trx,
  services: Services,
  live: LiveAgent,
  slot: OwnerSlot,
  act: { readonly kind: OwnerActRow['kind']; readonly version: number | null; readonly detail: ActDetail },
): Promise<Proposal> {
  const life = act.kind === 'retire' ? RETIRE_LIFE_SECONDS : LIFE_SECONDS;
  const row = await proposeAct(
    trx,
    {
      ...act,
      id: services.newId('act'),
      handle: live.agent.handle,
      owner: lowerAddress(live.chain.owner),
      beneficial_owner: slot.beneficialOwner,
      epoch: slot.epoch,
      nonce: slot.nonce,
      since_block: slot.block,
      deadline: new Date((slot.timestamp + life) * 1000),
    },
    services.now(),
  );
  return { act: row, documents: documentsOf(services, live, row) };
}

/** The documents of an act, which are the same each time they are requested. */
export function documentsOf(
  { home }: Services,
  { agent }: Pick<LiveAgent, 'agent'>,
  act: OwnerActRow,
): Proposal['documents'] {
  const [first, ...rest] = changesOf(act, agent.token_id);
  return [documentOf(home.deployment, first), ...rest.map((c) => documentOf(home.deployment, c))];
}
