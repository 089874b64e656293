import type { Category } from '../../agents/categories.ts';
import type { OpenDispute } from '../../agents/certificates/open-dispute.ts';
import { type Asked, askedAbout, type Side } from '../../agents/deal/asked.ts';
import {
  type Choices,
  strictest,
  type Weighed,
  weighVerdicts,
  withEffects,
} from '../../agents/deal/effect.ts';
import { reasonWords } from '../../agents/deal/effect-words.ts';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { moneyOf } from '../../agents/market/pricing/fees.ts';
import { parseUsd } from '../../agents/money.ts';
import {
  type AgentRow,
  findAgents,
  findMandates,
  type MandateRow,
  requireMandate,
} from '../../store/agent/agents.ts';
import { openDisputesOf } from '../../store/certificates/disputes-of-thing.ts';
import type { Database } from '../../store/database.ts';
import { type DealMatch, keepFindings, type LoadedDeal, loadDeal } from '../../store/deal/deals.ts';
import { insertRecords, isFiled } from '../../store/records/records.ts';
import { atOneMoment, type DealAnswer, determineDeal, tierDraft } from '../determinations/public.ts';
import { EffectError, type EffectRunner } from '../durable/jobs/effect.ts';
import { dealRecordId, signRecord } from '../records/public.ts';
import type { Services } from '../services.ts';
import { readChoices } from './choices.ts';
import { DETERMINING } from './start-deal.ts';

/** The ids of the records of both sides' determinations on a deal, as they were made this time. */
export function determinationIds(dealId: string, round: number): string[] {
  return [dealRecordId(dealId, 'buyer', round), dealRecordId(dealId, 'seller', round)].sort();
}

/** Which time both sides of a deal determined last, as their records say; 1 also before the first time. */
export async function lastRound(db: Database, dealId: string): Promise<number> {
  let round = 1;
  while (await isFiled(db, dealRecordId(dealId, 'buyer', round + 1))) round += 1;
  return round;
}

/**
 * Runs both sides' determinations on their deal, each at its agent's depth, on what is read once for both. The present
 * owners' signed choices say what a FLAGGED and an INCONCLUSIVE determination cause: stop (also when nothing was ever
 * chosen), ask, or go on. The records keep the verdicts unchanged, with what they caused and whose choice waived what. A
 * price above a mandate's `approval_above` also asks the owner.
 */
export function determineEffect(services: Services): EffectRunner {
  return {
    kind: 'determine',
    lane: DETERMINING,
    maxAttempts: 20,
    async run({ params }) {
      const dealId = String(params.dealId);
      // As version 2 of the deal asked for it, a side by itself.
      const sides: readonly Side[] = params.side === undefined ? ['buyer', 'seller'] : [params.side as Side];
      const round = typeof params.round === 'number' ? params.round : 1;
      const deal = await loadDeal(services.db, dealId);
      const at = services.now().getTime();
      const evidence = atOneMoment(services.evidence);
      const [agents, mandates] = await Promise.all([
        findAgents(evidence.db, [deal.buyer, deal.seller]),
        findMandates(evidence.db, [deal.buyer, deal.seller]),
      ]);
      const match = matchIn(deal, agents[1]);
      const answered = await Promise.all(
        sides.map(async (side) => {
          const agent = agents[side === 'buyer' ? 0 : 1];
          if (agent === null) throw new EffectError('an agent of the deal is not there', { retry: false });
          const mandate = requireMandate(agent.handle, mandates.get(agent.handle) ?? null);
          return await answerOf(evidence, { deal, match, round, side, agent, mandate });
        }),
      );
      // Read last, and for both at once: what counts is what the owners chose when everything is determined.
      const unclean = answered.filter(({ answer }) => answer.record.verdict !== 'CLEAN');
      const [choices, disputes] = await Promise.all([
        readChoices(services, unclean),
        openDisputesOf(services.db, deal.asset_key),
      ]);
      const determined = await Promise.all(
        answered.map((one) => weighSide(services, one, choices[unclean.indexOf(one)] ?? null, disputes)),
      );
      const outcomes = Object.fromEntries(determined.map(({ side, outcome }) => [side, outcome]));
      const asked: Asked = Object.fromEntries(determined.map((d) => [d.side, d.asked]));
      const worst = strictest(determined.map(({ effect }) => effect));
      const reason = worst === 'proceed' ? undefined : determined.find((d) => d.effect === worst)?.reason;
      return {
        event: {
          type: 'DETERMINED',
          outcomes,
          round,
          at,
          asked,
          ...(reason === undefined ? {} : { reason }),
        },
        atOnce: true,
        commit: async (trx) => {
          await insertRecords(
            trx,
            determined.map(({ signed }) => signed),
          );
          await keepFindings(
            trx,
            dealId,
            sides,
            determined.flatMap(({ findings }) => findings),
          );
        },
      };
    },
  };
}

interface OneSide {
  readonly deal: LoadedDeal;
  readonly match: DealMatch | null;
  readonly round: number;
  readonly side: Side;
  readonly agent: AgentRow;
  readonly mandate: MandateRow;
}

/** What both sides are asked about the match of their deal, which never changes but for its seller's key. */
function matchIn(deal: LoadedDeal, seller: AgentRow | null): DealMatch | null {
  if (seller === null) return null;
  const { listing_ref, category, buyer_owner, seller_owner } = deal;
  const { account, session_key } = seller;
  return { listing_ref, category, buyer_owner, seller_owner, account, session_key };
}

interface AnsweredSide extends OneSide {
  /** What the side pays or gets. */
  readonly price: bigint;
  readonly answer: DealAnswer;
}

/** What one side's determinations say. */
async function answerOf(evidence: Services['evidence'], one: OneSide): Promise<AnsweredSide> {
  const { deal, match, side, agent } = one;
  const price = side === 'buyer' ? moneyOf(deal.asset_key, deal.price).buyerPays : deal.price;
  const answer = await determineDeal(evidence, {
    dealId: deal.deal_id,
    match,
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
  return { ...one, price, answer };
}

/**
 * What one side determined comes to, with the record of it.
 * @param choices its owner's; null where it is CLEAN, and nothing is to choose
 * @param disputes of the thing, that are open now
 */
async function weighSide(
  services: Services,
  { deal, round, side, agent, mandate, price, answer }: AnsweredSide,
  choices: Choices | null,
  disputes: readonly OpenDispute[],
) {
  const { deal_id: dealId } = deal;
  const { record } = answer;
  const weighed = choices === null ? NOTHING_FOUND : weighVerdicts(record.determinations, choices);
  const approval = wantsApproval(mandate, price);
  const effect = strictest([weighed.effect, approval ? 'ask' : 'proceed']);
  const { causes, waivedBy } = weighed;
  const filing = { recordId: dealRecordId(dealId, side, round), issuedAt: services.now() };
  const draft = tierDraft(answer, filing, [agent.handle], { effect, waivedBy });
  const signed = await signRecord(services.signRecord, {
    ...draft,
    content: {
      ...(draft.content as object),
      dealId,
      ...(round === 1 ? {} : { supersedes: dealRecordId(dealId, side, round - 1) }),
    },
    handle: agent.handle,
  });
  const words = reasonWords(side, causes, record.determinations);
  return {
    side,
    effect,
    outcome: effect === 'proceed' ? ('pass' as const) : effect,
    reason: words === '' ? "the price needs its owner's approval" : words,
    signed,
    asked: askedAbout(causes, record.determinations, { approval, disputes }),
    findings: withEffects(answer.findings, weighed).map((f) => (round === 1 ? f : { ...f, round })),
  };
}

const NOTHING_FOUND: Weighed = { effect: 'proceed', causes: [], waivedBy: [] };

function wantsApproval({ structured: { approval_above: above } }: MandateRow, price: bigint): boolean {
  return above !== undefined && price > parseUsd(above, 'approval_above');
}
