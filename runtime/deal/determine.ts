import type { Category } from '../../agents/categories.ts';
import { strictest, type Weighed, weighVerdicts, withEffects } from '../../agents/deal/effect.ts';
import { reasonWords } from '../../agents/deal/effect-words.ts';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { moneyOf } from '../../agents/market/pricing/fees.ts';
import { parseUsd } from '../../agents/money.ts';
import { type AgentRow, activeMandate, findAgent } from '../../store/agent/agents.ts';
import { keepFindings, loadDeal } from '../../store/deal/deals.ts';
import { insertRecord } from '../../store/records/records.ts';
import { determineDeal, tierDraft } from '../determinations/public.ts';
import { EffectError, type EffectRunner } from '../durable/jobs/effect.ts';
import { dealRecordId, signRecord } from '../records/public.ts';
import type { Services } from '../services.ts';
import { readChoices } from './choices.ts';

type Side = 'buyer' | 'seller';

/** The ids of the records of both sides' determinations on a deal. */
export function determinationIds(dealId: string): string[] {
  return [dealRecordId(dealId, 'buyer'), dealRecordId(dealId, 'seller')].sort();
}

/**
 * Runs one side's determinations on its deal at its agent's depth. The present owner's signed choices say what a
 * FLAGGED and an INCONCLUSIVE determination cause: stop (also when nothing was ever chosen), ask, or go on. The record
 * keeps the verdict unchanged, with what it caused and whose choice waived what. A price above the mandate's
 * `approval_above` also asks the owner.
 */
export function determineEffect(services: Services): EffectRunner {
  return {
    kind: 'determine',
    lane: 'determination',
    maxAttempts: 20,
    async run({ params }) {
      const dealId = String(params.dealId);
      const side = params.side as Side;
      const deal = await loadDeal(services.db, dealId);
      const agent = await findAgent(services.db, side === 'buyer' ? deal.buyer : deal.seller);
      if (!agent) throw new EffectError('an agent of the deal is not there', { retry: false });
      const price = side === 'buyer' ? moneyOf(deal.asset_key, deal.price).buyerPays : deal.price;
      const answer = await determineDeal(services.evidence, {
        dealId,
        side,
        buyer: deal.buyer,
        seller: deal.seller,
        asset: deal.asset,
        listingRef: deal.listing_ref,
        category: deal.category as Category,
        price,
        depth: agent.depth as Depth | null,
        performer: agent.tier,
      });
      const { record } = answer;
      const weighed =
        record.verdict === 'CLEAN'
          ? NOTHING_FOUND
          : weighVerdicts(record.determinations, await readChoices(services, agent));
      const approval = await wantsApproval(services, agent, price);
      const effect = strictest([weighed.effect, approval ? 'ask' : 'proceed']);
      const { causes, waivedBy } = weighed;
      const now = services.now();
      const filing = { recordId: dealRecordId(dealId, side), issuedAt: now };
      const draft = tierDraft(answer, filing, [agent.handle], { effect, waivedBy });
      const signed = await signRecord(services.signRecord, {
        ...draft,
        content: { ...(draft.content as object), dealId },
        handle: agent.handle,
      });
      const reason = reasonWords(side, causes, record.determinations);
      return {
        event: {
          type: 'DETERMINED',
          side,
          outcome: effect === 'proceed' ? 'pass' : effect,
          ...(effect === 'proceed'
            ? {}
            : { reason: reason === '' ? "the price needs its owner's approval" : reason }),
        },
        commit: async (trx) => {
          await insertRecord(trx, signed);
          await keepFindings(trx, dealId, side, withEffects(answer.findings, weighed));
        },
      };
    },
  };
}

const NOTHING_FOUND: Weighed = { effect: 'proceed', causes: [], waivedBy: [] };

async function wantsApproval(services: Services, agent: AgentRow, price: bigint): Promise<boolean> {
  const mandate = (await activeMandate(services.db, agent.handle)).structured;
  return mandate.approval_above !== undefined && price > parseUsd(mandate.approval_above, 'approval_above');
}
