import { assetKey } from '../../agents/assets.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { type AgentTransfer, agentTransfers, pausesChanged } from '../../chain/agent-changes.ts';
import { readAgentOnChain } from '../../chain/agents.ts';
import { readPauses } from '../../chain/policy-keys.ts';
import { type AgentRow, agentByToken, noteEpoch, stopAtOnce } from '../../store/agents.ts';
import { moveCursor, readCursor } from '../../store/certificates.ts';
import { insertRecord, isFiled } from '../../store/records.ts';
import { withdrawOrders } from '../../store/withdrawals.ts';
import { deliver } from '../actors/mailbox.ts';
import { recordIdOf, signRecord } from '../records.ts';
import type { Services } from '../services.ts';
import { firstBlockToRead } from './blocks-to-read.ts';

const CURSOR = 'agents';

/**
 * Sees agents change hands, and pauses set and lifted, whoever did it. The agent stops at once, on the word of the newest block: its orders
 * leave the book and it is `paused` until its new owner signs a mandate. What happened is recorded once enough blocks
 * lie on it. A transfer that the chain took back leaves the agent paused: its owner signs, or moves it, again. What is
 * read twice changes nothing.
 * @returns how many agents were stopped
 * @throws ReaderError
 */
export async function followAgents(services: Services): Promise<number> {
  const { db, home, config } = services;
  const { number: head } = await home.readers.viem.head();
  const read = await readCursor(db, CURSOR);
  if (read === head) return 0;
  const start = BigInt(home.deployment.deployedAtBlock);
  const from = firstBlockToRead({ read, head, start }, BigInt(config.confirmations));
  const { transfers, upTo } = await agentTransfers(home.readers.viem, home.deployment, from, head);
  let stopped = 0;
  for (const transfer of transfers) {
    const { chainId } = home;
    const contract = lowerAddress(home.deployment.agentNft);
    const agent = await agentByToken(db, { chainId, contract, tokenId: transfer.tokenId });
    // Minted, and not written down yet: the next round finds it, since these blocks are read again.
    if (!agent) continue;
    // Not by the block whose transfers were read: a later one may be known of already.
    const { number: block } = await home.readers.viem.head();
    if (await stopIfMoved(services, agent, block)) stopped += 1;
    if (head - transfer.block >= BigInt(config.confirmations)) await record(services, agent, transfer);
  }
  for (const tokenId of await pausesChanged(home.readers.viem, home.deployment, from, upTo)) {
    const contract = lowerAddress(home.deployment.agentNft);
    const agent = await agentByToken(db, { chainId: home.chainId, contract, tokenId });
    if (agent && (await followPauses(services, agent, head))) stopped += 1;
  }
  await moveCursor(db, CURSOR, upTo);
  return stopped;
}

/**
 * Stops an agent whose owner at a block is not the one who was known.
 * @returns false when it was known
 * @throws ReaderError
 */
export async function stopIfMoved(services: Services, agent: AgentRow, block: bigint): Promise<boolean> {
  const { db, home } = services;
  const { epoch, owner } = await readAgentOnChain(home.readers.viem, home.deployment, agent.token_id, block);
  if (epoch === agent.epoch) return false;
  const { handle } = agent;
  const now = services.now();
  const fresh = await db.transaction().execute(async (trx) => {
    const noted = await noteEpoch(trx, { handle, known: agent.epoch, epoch, owner: lowerAddress(owner) });
    if (!noted) return false;
    await deliver(trx, {
      actorId: `agent:${handle}`,
      eventId: `transferred:${agent.epoch}:${epoch}:${block}`,
      event: { type: 'TRANSFERRED', epoch },
      now,
    });
    return true;
  });
  if (!fresh) return false;
  services.bell.actor(`agent:${handle}`);
  // The actor asks for this too; nothing of the old owner's rests until it has its turn.
  await withdrawOrders(db, handle, now);
  services.log.info({ handle, epoch }, 'an agent changed hands: it stops until its owner signs a mandate');
  return true;
}

/**
 * Tells an agent which pauses the chain holds it to, its owner's own transaction and the guardian's word included.
 * @returns whether it was stopped by one that was not known
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
    if (paused === agent.holds.includes(by)) continue;
    const now = services.now();
    await db.transaction().execute(async (trx) => {
      const event = paused ? { type: 'PAUSE', by } : { type: 'RESUME', by: [by] };
      await deliver(trx, {
        actorId: `agent:${handle}`,
        eventId: `chain:${by}:${paused}:${block}`,
        event,
        now,
      });
      if (paused) await stopAtOnce(trx, handle, { status: 'paused', hold: by });
    });
    services.bell.actor(`agent:${handle}`);
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
