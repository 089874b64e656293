import { findAgent } from '../../store/agents.ts';
import { unwindDeal } from '../../store/closings.ts';
import { type LoadedDeal, loadDeal } from '../../store/deals.ts';
import { insertRecord } from '../../store/records.ts';
import { deliver } from '../actors/mailbox.ts';
import { whyNotControlled } from '../acts/prove-control.ts';
import { pairHolds } from '../acts/prove-pair.ts';
import { startDeal } from '../acts/start-deal.ts';
import { recordIdOf, signRecord } from '../records.ts';
import type { Services } from '../services.ts';
import { determinationIds } from './determine.ts';
import type { EffectRunner } from './effect.ts';

/**
 * Undoes a deal that will not settle: reservations released, the lot listed again, and a public record that a
 * finding or a decision stopped it. The record names no amount.
 */
export function unwindEffect(services: Services): EffectRunner {
  return {
    kind: 'unwind',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params, key }) {
      const dealId = String(params.dealId);
      const reason = String(params.reason);
      const deal = await loadDeal(services.db, dealId);
      const now = services.now();
      const left = await hasLeft(services, deal);
      const signed = await signRecord(services.signRecord, {
        recordId: recordIdOf('flag-decision', dealId),
        kind: 'flag-decision',
        issuedAt: deal.matched_at,
        subject: deal.asset_key,
        parties: [deal.buyer, deal.seller],
        summary: `A deal of ${deal.seller} and ${deal.buyer} over ${deal.asset_key} was stopped before settlement.`,
        content: {
          dealId,
          matchId: deal.match_id,
          lot: deal.asset_key,
          decision: 'stop',
          determinations: determinationIds(dealId),
        },
        handle: deal.buyer,
      });
      return {
        event: { type: 'UNWOUND' },
        commit: async (trx) => {
          const { match } = await unwindDeal(trx, {
            dealId,
            reason,
            orderId: services.newId('ord'),
            ids: { matchId: services.newId('mat'), dealId: services.newId('deal') },
            allows: pairHolds(services, trx, now),
            now,
            left,
          });
          await insertRecord(trx, signed);
          for (const handle of [deal.buyer, deal.seller]) {
            await deliver(trx, {
              actorId: `agent:${handle}`,
              eventId: `closed:${dealId}`,
              event: { type: 'DEAL_CLOSED', dealId },
              now,
            });
          }
          if (match) {
            await startDeal(services, trx, match, now);
            services.log.info({ dealId, next: match.dealId, effect: key }, 'the lot matched its next buyer');
          }
        },
      };
    },
  };
}

/** What is not its seller's to sell any more is not listed again. @throws ReaderError, and then the effect is retried */
async function hasLeft(services: Services, deal: LoadedDeal): Promise<boolean> {
  const agent = await findAgent(services.db, deal.seller);
  if (!agent) return true;
  const { number } = await services.home.readers.viem.head();
  return (await whyNotControlled(services, deal, agent, number)) !== null;
}
