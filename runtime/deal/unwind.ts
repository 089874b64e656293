import { holdsLot } from '../../agents/deal/deal.ts';
import { stopCauses, type UndoneDeal } from '../../agents/deal/stop-causes.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { unwindDeal } from '../../store/deal/closings.ts';
import { type LoadedDeal, loadDeal } from '../../store/deal/deals.ts';
import { eventsAmong } from '../../store/durable/actors.ts';
import type { MayRest } from '../../store/market/order-reviews.ts';
import { insertRecord } from '../../store/records/records.ts';
import { lookAtSpending, requireAgent } from '../agent/public.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import { heldState } from '../durable/actors/held-state.ts';
import type { EffectRunner } from '../durable/jobs/effect.ts';
import { auctionActor, dealActor } from '../machines.ts';
import { mayRestBy, type PairProofs, whyNotControlled, withProofs } from '../market/public.ts';
import type { Services } from '../services.ts';
import { eventIdOf } from './decide-deal.ts';
import { lastRound } from './determine.ts';
import { flagDecision, wasFlagged } from './flag-decision.ts';
import { settled } from './settle.ts';
import { requireSigningOver } from './signing-over.ts';
import { startDeal } from './start-deal.ts';
import { tellClosed } from './tell-closed.ts';

/**
 * Undoes a deal that will not settle: releases reservations and lists the lot again. If a finding ended the deal, it
 * adds a public record of the stop, which names no amount. The chain is asked first: a deal that it settled goes on as
 * settled, whatever the service believes, whose database may have been restored to a moment before that.
 */
export function unwindEffect(services: Services): EffectRunner {
  return {
    kind: 'unwind',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params, key }) {
      const dealId = String(params.dealId);
      const over = await requireSigningOver(services, dealId);
      if (over.kind === 'settled') return settled(services, dealId, over);
      const deal = await loadDeal(services.db, dealId);
      const now = services.now();
      const left = await hasLeft(services, deal);
      const said = await readUndone(services, deal, now);
      const decided = wasFlagged(deal) && stoppedByDecision(said);
      const signed = decided
        ? await flagDecision(
            services,
            deal,
            { decision: 'stop' },
            { round: await lastRound(services.db, dealId), at: now },
          )
        : null;
      const undone = {
        ...{ dealId, now, left, orderId: services.newId('ord'), causes: stopCauses(said) },
        ids: { matchId: services.newId('mat'), dealId: services.newId('deal') },
      };
      const { proofs, mayRest } = await rehearse(services, undone, deal.seller);
      return {
        event: { type: 'UNWOUND' },
        commit: async (trx) => {
          // When another buyer matched in the meantime, the effect is retried.
          const { match, passedOn } = await unwindDeal(trx, {
            ...{ ...undone, mayRest },
            allows: proofs.allows(trx, now),
          });
          if (passedOn)
            await applyEvent(trx, auctionActor, {
              key: passedOn.auctionId,
              eventId: `undone:${dealId}`,
              event:
                passedOn.goesOnMs === null
                  ? { type: 'PASSED_ON', dealId: match?.dealId ?? null }
                  : { type: 'GOES_ON', waitMs: passedOn.goesOnMs },
              now,
            });
          if (signed !== null) await insertRecord(trx, signed);
          await tellClosed(trx, deal, now);
          if (match) {
            await startDeal(services, trx, match, now);
            services.log.info({ dealId, next: match.dealId, effect: key }, 'the lot matched its next buyer');
          }
        },
      };
    },
  };
}

class Rehearsed extends Error {}

/**
 * Unwinds and rolls back until the chain was asked about the caps of the seller, whose order is to rest again, and about
 * every pair on which the lot's next match depends.
 */
async function rehearse(
  services: Services,
  undone: Omit<Parameters<typeof unwindDeal>[1], 'allows' | 'mayRest'>,
  handle: string,
): Promise<{ readonly proofs: PairProofs; readonly mayRest: MayRest }> {
  const seller = await requireAgent(services, handle);
  return await withProofs(services, async (proofs) => {
    const mayRest = mayRestBy(seller, await lookAtSpending(services, seller), undone.now);
    try {
      return await services.db.transaction().execute(async (trx): Promise<never> => {
        await unwindDeal(trx, { ...undone, mayRest, allows: proofs.allows(trx, undone.now) });
        throw new Rehearsed();
      });
    } catch (error) {
      if (error instanceof Rehearsed) return { proofs, mayRest };
      throw error;
    }
  });
}

/** A lot that its seller can no longer sell is not listed again. @throws ReaderError; the effect is then retried */
async function hasLeft(services: Services, deal: LoadedDeal): Promise<boolean> {
  const agent = await findAgent(services.db, deal.seller);
  if (!agent) return true;
  const { number } = await services.home.readers.viem.head();
  // It stood on the market until it was matched.
  const listing = { ...deal, listed_at: deal.matched_at };
  return (await whyNotControlled(services, listing, agent, number)) !== null;
}

/** What both sides and their owners said about a deal that is to be undone. */
async function readUndone({ db }: Services, deal: LoadedDeal, now: Date): Promise<UndoneDeal> {
  const dealId = deal.deal_id;
  return await db.transaction().execute(async (trx) => {
    const state = await heldState(trx, dealActor, dealId, now);
    const sides = ['buyer', 'seller'] as const;
    const round = state?.context.round ?? 1;
    const ids = sides.map((side) => eventIdOf(side, 'stop', round));
    const taken = await eventsAmong(trx, `deal:${dealId}`, ids);
    const refusedAt = taken.get(eventIdOf('buyer', 'stop', round));
    return {
      outcomes: { buyer: state?.context.buyer ?? null, seller: state?.context.seller ?? null },
      findings: deal.findings,
      stoppedBy: sides.filter((side) => taken.has(eventIdOf(side, 'stop', round))),
      ...(state === null ? {} : { keptMs: keptMs(state.context, refusedAt ?? null, deal.matched_at) }),
    };
  });
}

/**
 * How long the buyer's owner, when it was asked, kept the lot: from what it was asked about until it refused, or as long as
 * it was given. By no later clock: what the service takes to undo the deal is nobody's delay.
 */
function keptMs(
  deal: Parameters<typeof holdsLot>[0] & { at: number | null; decisionMs: number; approvalMs: number },
  refusedAt: Date | null,
  matchedAt: Date,
): number {
  const given = holdsLot(deal) ? Math.min(deal.approvalMs, deal.decisionMs) : deal.decisionMs;
  if (refusedAt === null) return given;
  return Math.max(0, refusedAt.getTime() - (deal.at ?? matchedAt.getTime()));
}

/**
 * Whether a finding ended the deal: by a standing choice, by an owner's decision, or because an owner who was asked did
 * not answer in time. A deal that the chain refused was ended by no decision, whatever had been found.
 */
function stoppedByDecision({ outcomes: { buyer, seller } }: UndoneDeal): boolean {
  const outcomes = [buyer, seller];
  return outcomes.includes('stop') || (outcomes.includes('ask') && !outcomes.includes(null));
}
