import { lowerAddress } from '../../../agents/ids.ts';
import { mandateHash } from '../../../agents/mandate/terms/hash.ts';
import type { Mandate } from '../../../agents/mandate/terms/schema.ts';
import { mandateTerms } from '../../../agents/mandate/terms/terms.ts';
import { readGrant } from '../../../chain/clients/policy-keys.ts';
import type { NextSlot } from '../../../chain/clients/policy-relay.ts';
import { proposeMandate as keepMandate, nextSessionKey } from '../../../store/agent/mandates.ts';
import type { Trx } from '../../../store/database.ts';
import type { Grant } from '../../../store/json-columns.ts';
import { acceptMandate } from '../../checkout/public.ts';
import { overChain } from '../../determinations/public.ts';
import type { LastCall, Services } from '../../services.ts';
import type { LiveAgent } from '../live-agent.ts';
import { type Proposal, propose, readSlot, requireCanonical } from './propose.ts';

/**
 * Reads new terms for an agent and creates the documents that its owner signs: the mandate, and a session key if the
 * present one would end before the mandate. A new owner's agent gets a key that the previous owner never had.
 * @throws AppError mandate-refused and too-hard with `questions`, agent-not-active, conflict, unavailable
 */
export async function proposeMandate(
  services: Services,
  live: LiveAgent,
  text: string,
  lastCall: LastCall,
): Promise<Proposal & { readonly version: number; readonly mandate: Mandate }> {
  await requireCanonical(services, live);
  const { agent } = live;
  const now = services.now();
  const mandate = acceptMandate(text, now);
  const { expiry } = mandateTerms(mandate);
  const slot = await readSlot(services, live);
  const keyUntil = await overChain(agent.chain_id, () => keyLivesUntil(services, live, slot));
  return await services.db.transaction().execute(async (trx) => {
    const grant: Grant | null =
      keyUntil === null
        ? await freshKey(trx, services, expiry)
        : keyUntil < expiry
          ? {
              index: String(agent.session_key_index),
              key: agent.session_key as `0x${string}`,
              validUntil: expiry,
            }
          : null;
    // The act comes first, because it locks the agent, so that two proposals get two numbers.
    const proposal = await propose(trx, services, live, slot, {
      kind: 'mandate',
      version: null,
      detail: { text, mandate, grant, keyUntil },
    });
    const { handle } = agent;
    const version = await keepMandate(trx, {
      handle,
      text,
      structured: mandate,
      hash: mandateHash(mandate),
      now,
    });
    await trx.updateTable('owner_acts').set({ version }).where('id', '=', proposal.act.id).execute();
    lastCall();
    return { ...proposal, version, mandate };
  });
}

/** The next derived key, granted until `validUntil`. */
export async function freshKey(trx: Trx, services: Services, validUntil: number): Promise<Grant> {
  const index = await nextSessionKey(trx, services.sessionKeys.base);
  const key = lowerAddress(services.sessionKeys.at(Number(index)).address) as `0x${string}`;
  return { index: String(index), key, validUntil };
}

async function keyLivesUntil(
  { home }: Services,
  { agent }: LiveAgent,
  { epoch, block }: NextSlot,
): Promise<number | null> {
  const key = agent.session_key as `0x${string}`;
  const granted = await readGrant(home.readers.viem, home.deployment, agent.token_id, key, block);
  // A key that was revoked is never granted again.
  return granted.epoch === epoch && granted.validUntil !== 0 ? granted.validUntil : null;
}
