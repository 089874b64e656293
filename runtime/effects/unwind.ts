import { unwindDeal } from '../../store/closings.ts';
import { loadDeal } from '../../store/deals.ts';
import { insertRecord } from '../../store/records.ts';
import { deliver } from '../actors/mailbox.ts';
import { bothMandatesAllow } from '../acts/judge-pair.ts';
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
            allows: bothMandatesAllow(trx, now),
            now,
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
