import { toUsd } from '../../agents/money.ts';
import { findAgent } from '../../store/agents.ts';
import { loadDeal } from '../../store/deals.ts';
import { insertRecord } from '../../store/records.ts';
import { deliver } from '../actors/mailbox.ts';
import { recordIdOf, signRecord } from '../records.ts';
import type { Services } from '../services.ts';
import { determinationIds } from './determine.ts';
import { EffectError, type EffectRunner } from './effect.ts';

/** The public record of a settled deal, in the activity of both agents. Shows the price, never a limit. */
export function recordDealEffect(services: Services): EffectRunner {
  return {
    kind: 'record-deal',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      const dealId = String(params.dealId);
      const deal = await loadDeal(services.db, dealId);
      const [buyer, seller] = await Promise.all(
        [deal.buyer, deal.seller].map((h) => findAgent(services.db, h)),
      );
      if (deal.tx === null || !buyer || !seller)
        throw new EffectError('the deal is not settled yet', { retry: true });
      const signed = await signRecord(services.signRecord, {
        recordId: recordIdOf('deal-settled', dealId),
        kind: 'deal-settled',
        issuedAt: deal.matched_at,
        subject: deal.asset_key,
        parties: [deal.buyer, deal.seller],
        summary: `${deal.seller} sold ${deal.asset_key} to ${deal.buyer} for ${toUsd(deal.price)} USD.`,
        content: {
          dealId,
          matchId: deal.match_id,
          lot: deal.asset_key,
          category: deal.category,
          chain: deal.chain,
          seller: seller.account,
          buyer: buyer.account,
          priceUsd: toUsd(deal.price),
          feeUsd: toUsd(deal.fee),
          determinations: determinationIds(dealId),
          tx: deal.tx,
        },
        handle: deal.seller,
      });
      return {
        event: { type: 'RECORDED' },
        ring: [`agent:${deal.buyer}`, `agent:${deal.seller}`],
        commit: async (trx) => {
          await insertRecord(trx, signed);
          for (const handle of [deal.buyer, deal.seller]) {
            await deliver(trx, {
              actorId: `agent:${handle}`,
              eventId: `closed:${dealId}`,
              event: { type: 'DEAL_CLOSED', dealId },
              now: services.now(),
            });
          }
        },
      };
    },
  };
}
