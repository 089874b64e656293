import type { AnyMachineSnapshot } from 'xstate';
import type { Side } from '../../agents/deal/asked.ts';
import { AppError } from '../../agents/errors.ts';
import type { Trx } from '../../store/database.ts';
import { findDeal, loadDeal } from '../../store/deal/deals.ts';
import { eventsAmong } from '../../store/durable/actors.ts';
import { insertRecord, type SignedRecord } from '../../store/records/records.ts';
import type { DealState } from '../../store/tables.ts';
import { heldState } from '../durable/actors/held-state.ts';
import { deliver } from '../durable/actors/mailbox.ts';
import { dealActor } from '../machines.ts';
import type { LastCall, Services } from '../services.ts';
import { shownDealState } from './deal-projection.ts';
import { lastRound } from './determine.ts';
import { flagDecision, wasFlagged } from './flag-decision.ts';

type Decision = 'proceed' | 'stop';

/**
 * Contains the decision, because an owner who agreed may still stop while the deal waits for the other side, and which
 * time both sides determined, because an owner may be asked about each.
 */
export const eventIdOf = (side: Side, decision: Decision, round: number): string =>
  `decided:${side}:${decision}${round <= 1 ? '' : `:${round}`}`;

/**
 * Takes an owner's decision on a deal that waits for it. The deal's own machine says whether it counts, after every
 * earlier decision and while the deal is locked in the database. When several decisions come at once, in whatever
 * processes, one is first, and the others are told what it was.
 * @throws AppError not-found (also for an agent that has no part in the deal), conflict (it would change nothing)
 */
export async function decideDeal(
  services: Services,
  { dealId, handle, decision }: { dealId: string; handle: string; decision: Decision },
  lastCall: LastCall,
): Promise<void> {
  const now = services.now();
  // A decision is on what was determined before it was asked for.
  const round = await lastRound(services.db, dealId);
  const record =
    decision === 'proceed' ? await recordOfProceeding(services, { dealId, handle, round, at: now }) : null;
  await services.db.transaction().execute(async (trx) => {
    const deal = await findDeal(trx, dealId);
    const side = deal?.buyer === handle ? 'buyer' : deal?.seller === handle ? 'seller' : null;
    if (!deal || side === null) throw new AppError('not-found', `"${handle}" has no deal "${dealId}".`);
    const event = { type: 'DECIDED', side, decision } as const;
    const state = await heldState(trx, dealActor, dealId, now);
    const counts =
      state?.can(event) === true &&
      state.context.round === round &&
      (await deliver(trx, {
        actorId: `deal:${dealId}`,
        eventId: eventIdOf(side, decision, round),
        event,
        now,
      }));
    if (!counts) {
      const shown = state === null ? deal.state : shownDealState(state.value);
      const reason = state?.context.reason ?? deal.reason;
      throw new AppError('conflict', await whatStands(trx, dealId, { shown, reason, side, state }));
    }
    if (record !== null) await insertRecord(trx, record);
    lastCall();
  });
  services.notifier.actor(`deal:${dealId}`);
}

/** Null when that side found nothing: approving a price is not a decision on a finding. */
async function recordOfProceeding(
  services: Services,
  { dealId, handle, ...told }: { dealId: string; handle: string; round: number; at: Date },
): Promise<SignedRecord | null> {
  if ((await findDeal(services.db, dealId)) === null) return null;
  const deal = await loadDeal(services.db, dealId);
  const side = deal.buyer === handle ? 'buyer' : 'seller';
  if (!wasFlagged(deal, side)) return null;
  return await flagDecision(services, deal, { decision: 'proceed', side }, told);
}

/** Why a decision would change nothing, given what was decided before. */
async function whatStands(
  trx: Trx,
  dealId: string,
  asked: { shown: DealState; reason: string | null; side: Side; state: AnyMachineSnapshot | null },
): Promise<string> {
  const { shown, reason, side, state } = asked;
  if (shown === 'stopped') return `The deal was stopped: ${reason ?? 'a determination was not CLEAN'}.`;
  const sides = ['buyer', 'seller'] as const;
  const rounds = Array.from({ length: Math.max(1, state?.context.round ?? 1) }, (_, i) => i + 1);
  const idsOf = (each: Side): string[] => rounds.map((round) => eventIdOf(each, 'proceed', round));
  const taken = await eventsAmong(trx, `deal:${dealId}`, sides.flatMap(idsOf));
  // What an owner agreed to before holds unless it is asked again.
  const agreed = sides.filter(
    (each) => state?.context[each] === 'pass' && idsOf(each).some((id) => taken.has(id)),
  );
  if (shown === 'awaiting-owner') {
    const other = side === 'buyer' ? 'seller' : 'buyer';
    return agreed.includes(side)
      ? `The ${side}'s owner decided to proceed: the deal waits for the ${other}'s owner.`
      : `The ${side}'s owner was not asked: the deal waits for the ${other}'s owner, and only a stop would count.`;
  }
  const goesOn = ['settling', 'settled', 'recorded'].includes(shown) && agreed.length > 0;
  if (!goesOn) return `The deal is ${shown}: it does not wait for a decision.`;
  const who = agreed.map((each) => `the ${each}'s owner`).join(' and ');
  return `The deal goes on: ${who} decided to proceed, and it is ${shown}.`;
}
