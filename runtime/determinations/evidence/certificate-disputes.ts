import { stateOf } from '../../../agents/certificates/dispute.ts';
import type { TokenCustody } from '../../../agents/determinations/provenance/custody.ts';
import type { CertificateDispute } from '../../../agents/determinations/provenance/provenance-evidence.ts';
import { disputesOf } from '../../../store/certificates/disputes.ts';
import type { EvidenceDeps } from '../deps.ts';

/** What is disputed of the certificates among these lives; null where there is no certificate among them. */
export async function gatherDisputes(
  deps: EvidenceDeps,
  lives: readonly TokenCustody[],
): Promise<CertificateDispute[] | null> {
  const certificates = [...new Set(lives.filter((l) => l.void !== undefined).map((l) => l.tokenId))].sort();
  if (certificates.length === 0) return null;
  const found = await Promise.all(certificates.map((tokenId) => disputesOf(deps.db, tokenId)));
  const now = deps.now();
  return found.flat().map((dispute) => ({
    disputeId: dispute.disputeId,
    tokenId: dispute.tokenId,
    by: dispute.wallet.toLowerCase(),
    state: stateOf(dispute, now),
    ruling: (dispute.second ?? dispute.decision)?.ruling ?? null,
    filedAt: dispute.filedAt.toISOString(),
    closed: dispute.closedAt !== null,
  }));
}
