import { assetKey } from '../../agents/assets.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { readAgentOnChain } from '../../chain/clients/agents.ts';
import { readPauses } from '../../chain/clients/policy-keys.ts';
import { type AgentTransfer, agentTransfers, pausesChanged } from '../../chain/indexer/agent-changes.ts';
import {
  type AgentRow,
  agentByToken,
  findMandate,
  noteEpoch,
  tokensHeldByGuardian,
  tokensOf,
} from '../../store/agent/agents.ts';
import { moveCursor, readCursor } from '../../store/certificates/certificates.ts';
import { holdActor } from '../../store/durable/actors.ts';
import { withdrawOrders } from '../../store/market/withdrawals.ts';
import { insertRecord, isFiled } from '../../store/records/records.ts';
import { firstBlockToRead, isBlockBefore } from '../chain-sync/public.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import { agentActor } from '../machines.ts';
import { recordIdOf, signRecord } from '../records/public.ts';
import type { Services } from '../services.ts';

const CURSOR = 'agents';

/**
 * Follows transfers of agents and pauses that anybody set or lifted on chain. The agent stops at the newest block: its
 * orders leave the book and it is `paused` until the new owner signs a mandate. The change is recorded once it has
 * enough confirmations. After a reorg that removed the transfer the agent stays paused, and its owner signs again or
 * transfers it again. Reading a block twice changes nothing.
 * @returns how many agents were stopped
 * @throws ReaderError
 */
export async function followAgents(services: Services): Promise<number> {
  const { db, home, config } = services;
  const { number: head } = await home.readers.viem.head();
  const read = await readCursor(db, CURSOR);
  const start = BigInt(home.deployment.deployedAtBlock);
  const from = firstBlockToRead({ read, head, start }, BigInt(config.confirmations));
  const reader = home.readers.viem;
  const { transfers, upTo } =
    read === head ? NOTHING : await agentTransfers(reader, home.deployment, from, head);
  const paused = read === head ? [] : await pausesToRead(services, from, upTo);
  const confirmed = transfers.filter((t) => head - t.block >= BigInt(config.confirmations));
  const alive = () => reader.head();
  const idOf = (tokenId: bigint) => ({ id: tokenId.toString() });
  const moved = await eachIsolated(
    services.quarantine,
    'agent-owner',
    transfers.map(({ tokenId }) => idOf(tokenId)),
    async ({ id }) => {
      const agent = await agentOf(services, BigInt(id));
      // Read at the head and not at the block of the transfers: a later transfer may be known already.
      return agent !== null && (await stopIfMoved(services, agent, (await reader.head()).number));
    },
    { alive },
  );
  await eachIsolated(
    services.quarantine,
    'agent-transfer',
    confirmed.map((t) => ({ id: `${t.tokenId}:${t.tx}`, context: keptTransfer(t) })),
    async ({ context }) => {
      const transfer = transferOf(context as KeptTransfer);
      const agent = await agentOf(services, transfer.tokenId);
      if (agent !== null) await record(services, agent, transfer);
    },
  );
  const stopped = await eachIsolated(
    services.quarantine,
    'agent-pause',
    paused.map(idOf),
    async ({ id }) => {
      const agent = await agentOf(services, BigInt(id));
      return agent !== null && (await followPauses(services, agent, (await reader.head()).number));
    },
    { alive },
  );
  if (read !== head) await moveCursor(db, CURSOR, upTo);
  return [...moved.done, ...stopped.done].filter(Boolean).length;
}

/** The agents whose pauses may have changed: those that the chain reports, and those whose stop ends by itself. */
async function pausesToRead(services: Services, from: bigint, upTo: bigint): Promise<readonly bigint[]> {
  const { db, home } = services;
  const collection = { chainId: home.chainId, contract: lowerAddress(home.deployment.agentNft) };
  const changed = await pausesChanged(home.readers.viem, home.deployment, from, upTo);
  if (changed === 'all') return await tokensOf(db, collection);
  return [...new Set([...changed, ...(await tokensHeldByGuardian(db, collection))])];
}

const NOTHING = { transfers: [], upTo: 0n } as const;

/** @returns null when it is minted but not stored yet: a later run finds it, because blocks are read again */
async function agentOf({ db, home }: Services, tokenId: bigint): Promise<AgentRow | null> {
  const contract = lowerAddress(home.deployment.agentNft);
  return await agentByToken(db, { chainId: home.chainId, contract, tokenId });
}

/** A transfer as the quarantine keeps it until it can be recorded. */
type KeptTransfer = Omit<AgentTransfer, 'tokenId' | 'block'> & Readonly<Record<'tokenId' | 'block', string>>;

function keptTransfer({ tokenId, block, ...rest }: AgentTransfer): KeptTransfer {
  return { ...rest, tokenId: tokenId.toString(), block: block.toString() };
}

function transferOf({ tokenId, block, ...rest }: KeptTransfer): AgentTransfer {
  return { ...rest, tokenId: BigInt(tokenId), block: BigInt(block) };
}

/**
 * Stops an agent whose owner at a block is not the one in the database.
 * @returns false when that owner was known
 * @throws ReaderError
 */
export async function stopIfMoved(services: Services, agent: AgentRow, block: bigint): Promise<boolean> {
  const { db, home } = services;
  const { epoch, owner } = await readAgentOnChain(home.readers.viem, home.deployment, agent.token_id, block);
  if (epoch === agent.epoch) return false;
  const { handle } = agent;
  // A node that is behind must not give an agent back to whoever sold it: its new owner has signed since.
  const mandate = epoch < agent.epoch ? await findMandate(db, handle) : null;
  if (mandate !== null && (await isBlockBefore(home.readers.viem, block, mandate.created_at))) return false;
  const now = services.now();
  const fresh = await db.transaction().execute(async (trx) => {
    // The actor is locked before its agent, as a batch locks them.
    await holdActor(trx, `agent:${handle}`);
    const noted = await noteEpoch(trx, { handle, known: agent.epoch, epoch, owner: lowerAddress(owner) });
    if (!noted) return false;
    await applyEvent(trx, agentActor, {
      key: handle,
      eventId: `transferred:${agent.epoch}:${epoch}:${block}`,
      event: { type: 'TRANSFERRED', epoch },
      now,
    });
    return true;
  });
  if (!fresh) return false;
  services.notifier.actor(`agent:${handle}`);
  // The actor asks for this as well. Doing it now keeps the old owner's orders from matching until the actor runs.
  await withdrawOrders(db, handle, now);
  services.log.info({ handle, epoch }, 'an agent changed hands: it stops until its owner signs a mandate');
  return true;
}

/**
 * Tells an agent which pauses are set on chain: its owner's and the guardian's.
 * @returns whether a pause that was not known has stopped it
 */
async function followPauses(services: Services, agent: AgentRow, block: bigint): Promise<boolean> {
  const { db, home } = services;
  const { handle } = agent;
  const pauses = await readPauses(home.readers.viem, home.deployment, agent.token_id, block);
  let stopped = false;
  for (const [by, paused] of [
    ['owner-on-chain', pauses.owner],
    ['guardian', pauses.guardian],
  ] as const) {
    if (paused === agent.suspension_reasons.includes(by)) continue;
    const now = services.now();
    await db.transaction().execute(async (trx) => {
      const event = paused ? { type: 'PAUSE', by } : { type: 'RESUME', by: [by] };
      await applyEvent(trx, agentActor, {
        key: handle,
        eventId: `chain:${by}:${paused}:${block}`,
        event,
        now,
      });
    });
    services.notifier.actor(`agent:${handle}`);
    stopped ||= paused;
  }
  if (stopped) await withdrawOrders(db, handle, services.now());
  return stopped;
}

async function record(services: Services, agent: AgentRow, transfer: AgentTransfer): Promise<void> {
  const { db, home } = services;
  const recordId = recordIdOf('transferred', `agent:${transfer.tokenId}:${transfer.tx}`);
  if (await isFiled(db, recordId)) return;
  const { handle } = agent;
  const token = assetKey({
    kind: 'token',
    chainId: home.chainId,
    contract: lowerAddress(home.deployment.agentNft),
    tokenId: transfer.tokenId.toString(),
  });
  const [from, to] = [lowerAddress(transfer.from), lowerAddress(transfer.to)];
  const signed = await signRecord(services.signRecord, {
    recordId,
    kind: 'transferred',
    issuedAt: services.now(),
    subject: token,
    parties: [handle],
    summary: `The agent ${handle} went from ${from} to ${to}.`,
    content: { handle, agent: token, from, to, chain: `eip155:${home.chainId}`, tx: transfer.tx },
    handle,
  });
  await db.transaction().execute((trx) => insertRecord(trx, signed));
}
