import type { MandateCommon } from '../../agents/determinations/mandate/mandate-evidence.ts';
import type { RecordEvidence } from '../../agents/determinations/panel/types.ts';
import type { ShillCommon } from '../../agents/determinations/shill/shill-evidence.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { type AgentRow, agentByAccount, findAgent } from '../../store/agent/agents.ts';
import { liveListingOf } from '../../store/market/listings.ts';
import type { StoredRecord } from '../../store/records/records.ts';
import { readLive } from '../agent/public.ts';
import type { Services } from '../services.ts';

/** Whether a record is about this wallet: about its own address, or about an agent that it owns on chain now. */
export async function concerns(services: Services, stored: StoredRecord, wallet: Address): Promise<boolean> {
  if (stored.record.subject.toLowerCase() === wallet) return true;
  for (const agent of await agentsOf(services, stored)) {
    const { chain } = await readLive(services, agent);
    if (lowerAddress(chain.owner) === wallet) return true;
  }
  return false;
}

/**
 * The agents that a determination names: its parties, its subject, the agent whose mandate it read, and the seller of
 * its lot.
 */
async function agentsOf({ db }: Services, stored: StoredRecord): Promise<AgentRow[]> {
  const { subject, parties } = stored.record;
  const named = (evidenceOf(stored)?.determinations ?? []).flatMap(({ id, common }) => {
    if (id === 'mandate-compliance') return [(common as MandateCommon).handle];
    if (id !== 'shill-collusion') return [];
    const shill = common as ShillCommon;
    return shill.scope === 'deal' ? shill.parties.map((p) => p.handle) : [shill.seller];
  });
  const listing = await liveListingOf(db, subject);
  const names = [...new Set([...parties, ...named, subject, ...(listing === null ? [] : [listing.handle])])];
  const found = await Promise.all(
    names.map(async (name) => (await findAgent(db, name)) ?? (await agentByAccount(db, name.toLowerCase()))),
  );
  const agents = found.filter((a) => a !== null);
  return [...new Map(agents.map((a) => [a.handle, a])).values()];
}

/** Null for a record that is not a determination or was filed without its evidence. */
export function evidenceOf({ record, evidence }: StoredRecord): RecordEvidence | null {
  return record.kind === 'determination' ? (evidence as RecordEvidence | null) : null;
}
