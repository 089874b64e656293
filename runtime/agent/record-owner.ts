import type { OwnerChange } from '../../agents/agent/agent-context.ts';
import { assetKey } from '../../agents/assets.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { ultimateOwner } from '../../chain/clients/ultimate-owner.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { insertRecord } from '../../store/records/records.ts';
import { EffectError, type EffectRunner } from '../durable/jobs/effect.ts';
import { recordIdOf, signRecord } from '../records/public.ts';
import type { Services } from '../services.ts';

/** A change this many blocks old is final, and a node need not keep the state of that block. */
const MAY_BE_TAKEN_BACK = 64n;

/**
 * Writes the public record of an agent that changed owner together with the account that owns it. It waits for the
 * configured number of confirmations and reads the chain again: a sale that a reorg removed is not recorded.
 */
export function recordOwnerEffect(services: Services): EffectRunner {
  return {
    kind: 'record-owner',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      const { handle, ...change } = changeOf(params);
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
        // The time of the reading and not of now, so that a retry makes the same record.
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

/** @throws EffectError for a change that no agent's machine requests */
function changeOf(params: Readonly<Record<string, unknown>>): OwnerChange & { readonly handle: string } {
  const text = (name: string): string => {
    const value = params[name];
    if (typeof value === 'string') return value;
    throw new EffectError(`the change of owner has no ${name}`, { retry: false });
  };
  const orNull = (name: string): string | null => (params[name] === null ? null : text(name));
  return {
    handle: text('handle'),
    owner: text('owner'),
    from: orNull('from'),
    since: orNull('since'),
    to: orNull('to'),
    block: text('block'),
    at: text('at'),
  };
}

/**
 * Whether the chain confirms both the new owner and the owner before.
 * @throws EffectError while it has too few confirmations, ReaderError
 */
async function stands({ home, config }: Services, change: OwnerChange): Promise<boolean> {
  const { viem } = home.readers;
  const { number: head } = await viem.head();
  const block = BigInt(change.block);
  if (head - block < BigInt(config.confirmations))
    throw new EffectError(`fewer than ${config.confirmations} blocks lie on the change`, { retry: true });
  const beneficialOwnerThen = (at: bigint) => ultimateOwner(viem, change.owner as Address, at);
  // The account may have been sold again since.
  if ((await beneficialOwnerThen(head)) !== change.to && (await beneficialOwnerThen(block)) !== change.to)
    return false;
  const since = change.since === null ? null : BigInt(change.since);
  if (config.confirmations === 0 || since === null || block - since > MAY_BE_TAKEN_BACK) return true;
  return (
    (await beneficialOwnerThen(since)) === change.from ||
    (await beneficialOwnerThen(block - 1n)) === change.from
  );
}
