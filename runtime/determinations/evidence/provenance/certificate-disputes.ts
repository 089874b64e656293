import { stateOf } from '../../../../agents/certificates/dispute.ts';
import { everyHolder, type TokenCustody } from '../../../../agents/determinations/provenance/custody.ts';
import type { ProvenanceCommon } from '../../../../agents/determinations/provenance/provenance-evidence.ts';
import { disputesOfThing } from '../../../../store/certificates/disputes-of-thing.ts';
import type { EvidenceDeps } from '../../deps.ts';

/**
 * What is disputed of any certificate of a thing; null where nothing is, and no certificate is among its lives. A
 * provider's token stands for a name by itself: what is said of certificates of the name says nothing of it.
 */
export async function gatherDisputes(
  deps: EvidenceDeps,
  serials: readonly string[],
  lives: readonly TokenCustody[],
): Promise<Pick<ProvenanceCommon, 'disputes' | 'moreDisputes'> | null> {
  const isCertified = lives.some((l) => l.void !== undefined);
  if (lives.length > 0 && !isCertified) return null;
  const now = deps.now();
  const found = await disputesOfThing(deps.db, serials, { holders: everyHolder(lives), now });
  if (!isCertified && found.disputes.length === 0) return null;
  const disputes = found.disputes.map((dispute) => ({
    disputeId: dispute.disputeId,
    tokenId: dispute.tokenId,
    by: dispute.wallet.toLowerCase(),
    state: stateOf(dispute, now),
    ruling: (dispute.second ?? dispute.decision)?.ruling ?? null,
    filedAt: dispute.filedAt.toISOString(),
    closed: dispute.closedAt !== null,
  }));
  return { disputes, ...(found.more === 0 ? {} : { moreDisputes: found.more }) };
}
