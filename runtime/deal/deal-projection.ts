import type { DealStage } from '../../agents/agent/agent-context.ts';
import type { Trx } from '../../store/database.ts';
import type { DealState } from '../../store/tables.ts';
import { deliver } from '../durable/actors/mailbox.ts';

const STATE: Readonly<Record<string, DealState>> = {
  determining: 'determining',
  weighing: 'determining',
  waiting: 'determining',
  'awaiting-owner': 'awaiting-owner',
  settling: 'settling',
  settled: 'settled',
  recorded: 'recorded',
  unwinding: 'stopped',
  stopped: 'stopped',
};

/** The stages that agents are told. They learn of the end from the message that ends the deal. */
const STAGE: Partial<Readonly<Record<DealState, DealStage>>> = {
  determining: 'determining',
  'awaiting-owner': 'awaiting-owner',
  settling: 'settling',
  settled: 'recording',
};

/**
 * Shows the deal actor's state, and the deadline while it waits for an owner, to the owners who may ask, and tells both
 * agents the stage of the deal.
 */
export async function projectDeal(
  trx: Trx,
  dealId: string,
  snapshot: { value: unknown; context: { decisionMs: number; reason: string | null } },
  now: Date,
): Promise<void> {
  const state = STATE[String(snapshot.value)];
  if (state === undefined)
    throw new Error(`the deal machine has no row for its state "${String(snapshot.value)}"`);
  const moved = await trx
    .updateTable('deals')
    .set({
      state,
      reason: snapshot.context.reason,
      deadline: state === 'awaiting-owner' ? new Date(now.getTime() + snapshot.context.decisionMs) : null,
      updated_at: now,
    })
    .where('deal_id', '=', dealId)
    // The machine does not know of a reorg that removed the settlement for good; that status stays.
    .where('state', 'not in', [state, 'failed'])
    .returning(['seller', 'buyer'])
    .executeTakeFirst();
  const stage = STAGE[state];
  if (!moved || stage === undefined) return;
  for (const handle of [moved.seller, moved.buyer]) {
    await deliver(trx, {
      actorId: `agent:${handle}`,
      eventId: `deal-at:${dealId}:${stage}`,
      event: { type: 'DEAL_AT', dealId, stage },
      now,
    });
  }
}
