import { isOutdated, signedForSeconds } from '../../agents/deal/outdated.ts';
import type { Settled } from '../../chain/clients/settlement.ts';
import { determinedAt } from '../../store/deal/determined-at.ts';
import type { Services } from '../services.ts';
import { loadSides, NotSettleable, requireSameOwners, settleOnChain } from './settle-deal.ts';

/**
 * Settles a deal whose settlement a reorg removed, by what it was settled by at first: between the same owners, by
 * determinations that are not too old, and never after the chain refused it in a block.
 * @throws as {@link settleOnChain}
 */
export async function settleAgain(services: Services, dealId: string): Promise<Settled> {
  const sides = await loadSides(services, dealId);
  if (sides.deal.refusal !== null) throw new NotSettleable(sides.deal.refusal);
  const head = await requireSameOwners(services, sides);
  const [at, now] = [await determinedAt(services.db, dealId), services.now()];
  if (isOutdated(at, now)) throw new NotSettleable('its determinations are too old to settle by');
  return await settleOnChain(services, sides, { seconds: signedForSeconds(at, now), head });
}
