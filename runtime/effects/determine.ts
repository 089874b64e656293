import type { Asset } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import type { Depth } from '../../agents/determinations/types.ts';
import type { Mandate } from '../../agents/mandate/schema.ts';
import { moneyOf } from '../../agents/market/fees.ts';
import { parseUsd } from '../../agents/money.ts';
import { readAgentOnChain } from '../../chain/agents.ts';
import { type AgentRow, activeMandate, findAgent } from '../../store/agents.ts';
import { keepFindings, loadDeal } from '../../store/deals.ts';
import { insertRecord } from '../../store/records.ts';
import { onFlagged } from '../../store/settings.ts';
import { determineDeal } from '../evidence/determine-deal.ts';
import { tierDraft } from '../evidence/drafts.ts';
import { dealRecordId, signRecord } from '../records.ts';
import type { Services } from '../services.ts';
import { EffectError, type EffectRunner } from './effect.ts';

type Side = 'buyer' | 'seller';

/** The records of what both sides determined on a deal. */
export function determinationIds(dealId: string): string[] {
  return [dealRecordId(dealId, 'buyer'), dealRecordId(dealId, 'seller')].sort();
}

/**
 * One side determines on its deal at its agent's depth, and its current owner's signed setting says what a finding
 * causes: stop (also when nothing was ever chosen), or ask. A price above the mandate's `approval_above` asks too.
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
        asset: deal.asset as unknown as Asset,
        listingRef: deal.listing_ref,
        category: deal.category as Category,
        price,
        depth: agent.depth as Depth | null,
        performer: agent.tier,
      });
      const now = services.now();
      const signed = await signRecord(services.signRecord, {
        ...tierDraft(answer, { recordId: dealRecordId(dealId, side), issuedAt: now }, [agent.handle]),
        handle: agent.handle,
      });
      const decided =
        answer.record.verdict === 'FLAGGED'
          ? await setting(services, agent)
          : (await wantsApproval(services, agent, price))
            ? 'ask'
            : 'pass';
      const reason = [...answer.record.flagged, ...answer.record.inconclusive].join(', ');
      return {
        event: {
          type: 'DETERMINED',
          side,
          outcome: decided,
          ...(decided === 'pass'
            ? {}
            : {
                reason:
                  reason === '' ? "the price needs its owner's approval" : `the ${side} found: ${reason}`,
              }),
        },
        commit: async (trx) => {
          await insertRecord(trx, signed);
          await keepFindings(trx, dealId, side, answer.findings);
        },
      };
    },
  };
}

/** The current owner's setting, the owner read on chain now. @throws ReaderError, and then the effect is retried */
async function setting(services: Services, agent: AgentRow): Promise<'ask' | 'stop'> {
  const { readers, deployment } = services.home;
  const { number } = await readers.viem.head();
  const { owner } = await readAgentOnChain(readers.viem, deployment, agent.token_id, number);
  return await onFlagged(services.db, owner.toLowerCase());
}

async function wantsApproval(services: Services, agent: AgentRow, price: bigint): Promise<boolean> {
  const mandate = (await activeMandate(services.db, agent.handle)).structured as unknown as Mandate;
  return mandate.approval_above !== undefined && price > parseUsd(mandate.approval_above, 'approval_above');
}
