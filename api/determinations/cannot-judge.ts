import { readAddress } from '../../agents/determinations/wallet/address.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import type { TierFacts } from '../../runtime/determinations/determine-tier.ts';
import { findAgent } from '../../store/agent/agents.ts';
import type { Database } from '../../store/database.ts';
import { wasListed } from '../../store/market/listings.ts';

/**
 * What is known before any payment to come out INCONCLUSIVE. Such a question is answered and charged like any other, so
 * whoever is asked to pay is told first.
 */

/** The chains of this service's RPC URLs, for people. */
function chainsRead({ readers }: Pick<EvidenceDeps, 'readers'>): string {
  return [...readers.keys()]
    .sort((a, b) => a - b)
    .map((id) => `eip155:${id}`)
    .join(', ');
}

/** @returns one sentence, or null where the configuration rules out nothing */
export function walletCannotBeClean(
  evidence: Pick<EvidenceDeps, 'readers' | 'solana'>,
  { address, chainId }: { readonly address?: string; readonly chainId?: number },
): string | null {
  if (address !== undefined && readAddress(address).type === 'solana') {
    if ((evidence.solana ?? []).length > 0) return null;
    return 'address: this service reads no Solana (SOLANA_RPC_URL is not set), so that the answer cannot be CLEAN.';
  }
  if (chainId === undefined || evidence.readers.has(chainId)) return null;
  return `chainId: this service does not read eip155:${chainId}, so that the answer cannot be CLEAN. It reads ${chainsRead(evidence)}.`;
}

/** @returns a sentence for each determination that nothing here can judge; null where there is none */
export async function tierCannotBeClean(db: Database, facts: TierFacts): Promise<string | null> {
  const { handle, proposal, lotRef, seller } = facts;
  const [noAgent, noLot] = await Promise.all([
    handle !== undefined && proposal !== undefined && (await findAgent(db, handle)) === null,
    lotRef !== undefined && seller !== undefined && !(await wasListed(db, lotRef)),
  ]);
  const told = [
    ...(noAgent ? ['handle: no agent here goes by it, so that mandate-compliance is INCONCLUSIVE.'] : []),
    ...(noLot ? ['lotRef: nothing was listed under it here, so that shill-collusion is INCONCLUSIVE.'] : []),
  ];
  return told.length === 0 ? null : told.join(' ');
}
