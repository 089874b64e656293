import { mandateHash } from '../../../agents/mandate/terms/hash.ts';
import type { Mandate } from '../../../agents/mandate/terms/schema.ts';
import { mandateTerms } from '../../../agents/mandate/terms/terms.ts';
import type { AgentRow } from '../../../store/agent/agents.ts';
import { adoptMandate, changeSessionKey } from '../../../store/agent/mandates.ts';
import { endAct, type OwnerActRow } from '../../../store/agent/owner-acts.ts';
import type { Trx } from '../../../store/database.ts';
import { insertRecord, type SignedRecord } from '../../../store/records/records.ts';
import type { EffectOutcome } from '../../durable/jobs/effect.ts';
import { recordIdOf, signRecord } from '../../records/public.ts';
import type { Services } from '../../services.ts';

interface OnChain {
  readonly first: `0x${string}` | null;
  readonly second: `0x${string}` | null;
  readonly refused: string | null;
}

/**
 * Applies a mandate that is on chain: it comes into force here at the same moment, the previous one ends, and the
 * change is recorded. The agent's term ends with its mandate or with its key, whichever is first. If the chain refused
 * the key of a new owner's agent, the agent has a mandate but no key, and stays paused until its owner signs again.
 */
export async function mandateOutcome(
  services: Services,
  agent: AgentRow,
  act: OwnerActRow,
  { first, second, refused }: OnChain,
): Promise<EffectOutcome> {
  const { mandate, grant = null, keyUntil = null } = act.detail;
  const { expiry } = mandateTerms(mandate as Mandate);
  const until = second !== null && grant ? grant.validUntil : keyUntil;
  const now = services.now();
  const tx = first as string;
  const signed = await recordOf(services, agent, act, tx);
  const adopt = async (trx: Trx) => {
    const { handle, session_key: from } = agent;
    await adoptMandate(trx, { handle, version: act.version as number, tx, signedAt: act.updated_at });
    if (second !== null && grant && grant.key !== from)
      await changeSessionKey(trx, { handle, from, key: grant.key, index: BigInt(grant.index) });
    await insertRecord(trx, signed);
  };
  if (until === null)
    return {
      event: { type: 'ACT_FAILED', actId: act.id },
      commit: async (trx) => {
        await adopt(trx);
        const reason = `the mandate is in force, and the chain refused its key: ${refused ?? 'no reason is known'}`;
        await endAct(trx, act.id, { status: 'failed', reason, tx, now });
      },
    };
  const endsInMs = Math.max(0, Math.min(expiry, until) * 1000 - now.getTime());
  return {
    event: { type: 'MANDATE_SET', epoch: act.epoch, endsInMs },
    commit: async (trx) => {
      await adopt(trx);
      await endAct(trx, act.id, { status: 'done', reason: refused, tx, now });
    },
  };
}

async function recordOf(
  services: Services,
  agent: AgentRow,
  act: OwnerActRow,
  tx: string,
): Promise<SignedRecord> {
  const { chainId } = services.home;
  const { handle } = agent;
  return await signRecord(services.signRecord, {
    recordId: recordIdOf('mandate-changed', act.id),
    kind: 'mandate-changed',
    // The time of the signature, so that a retry makes the same record.
    issuedAt: act.updated_at,
    subject: agent.account,
    parties: [handle],
    summary: `The mandate of ${handle} was replaced by version ${act.version}.`,
    content: {
      handle,
      version: act.version as number,
      mandateHash: mandateHash(act.detail.mandate as Mandate),
      owner: act.owner,
      chain: `eip155:${chainId}`,
      tx,
    },
    handle,
  });
}
