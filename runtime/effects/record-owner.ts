import { assetKey } from '../../agents/assets.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import type { OwnerChange } from '../../agents/machines/agent-context.ts';
import { ultimateOwner } from '../../chain/ultimate-owner.ts';
import { findAgent } from '../../store/agents.ts';
import { insertRecord } from '../../store/records.ts';
import { recordIdOf, signRecord } from '../records.ts';
import type { Services } from '../services.ts';
import { EffectError, type EffectRunner } from './effect.ts';

/** What was seen so many blocks ago is final, and a node need not know the state of then any more. */
const MAY_BE_TAKEN_BACK = 64n;

/**
 * The public record of an agent that changed hands with the account that owns it. Written once as many blocks lie on
 * what was seen as the configuration asks, and only if the chain then says it: a sale that was taken back is none, nor is its taking back.
 */
export function recordOwnerEffect(services: Services): EffectRunner {
  return {
    kind: 'record-owner',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      const { handle, ...change } = params as unknown as OwnerChange & { handle: string };
      if (!(await stands(services, change))) return {};
      const agent = await findAgent(services.db, handle);
      if (!agent) throw new EffectError('the agent is not there', { retry: false });
      const { owner, from, to, block } = change;
      const { chainId, deployment } = services.home;
      const token = assetKey({
        kind: 'token',
        chainId,
        contract: lowerAddress(deployment.agentNft),
        tokenId: agent.token_id.toString(),
      });
      const went = `${from === null ? '' : `from ${from} `}to ${to ?? 'nobody who can be told'}`;
      const signed = await signRecord(services.signRecord, {
        recordId: recordIdOf('transferred', `agent:${agent.token_id}:behind:${to}:${block}`),
        kind: 'transferred',
        // When it was seen: a second attempt makes the same record.
        issuedAt: new Date(change.at),
        subject: token,
        parties: [handle],
        summary: `The agent ${handle} went ${went}, with the account ${owner} that owns it.`,
        content: { handle, agent: token, owner, from, to, chain: `eip155:${chainId}`, block: Number(block) },
        handle,
      });
      return {
        commit: async (trx) => {
          await insertRecord(trx, signed);
        },
      };
    },
  };
}

/**
 * Whether the chain says both what was seen and what had been seen before it.
 * @throws EffectError while too few blocks lie on it, ReaderError
 */
async function stands({ home, config }: Services, change: OwnerChange): Promise<boolean> {
  const { viem } = home.readers;
  const { number: head } = await viem.head();
  const block = BigInt(change.block);
  if (head - block < BigInt(config.confirmations))
    throw new EffectError(`fewer than ${config.confirmations} blocks lie on the change`, { retry: true });
  const behind = (at: bigint) => ultimateOwner(viem, change.owner as Address, at);
  // It may have gone on since.
  if ((await behind(head)) !== change.to && (await behind(block)) !== change.to) return false;
  const since = change.since === null ? null : BigInt(change.since);
  if (config.confirmations === 0 || since === null || block - since > MAY_BE_TAKEN_BACK) return true;
  return (await behind(since)) === change.from || (await behind(block - 1n)) === change.from;
}
