import { holdsLot } from '../../agents/deal/deal.ts';
import type { Trx } from '../../store/database.ts';
import type { DealState } from '../../store/tables.ts';

const STATE: Readonly<Record<string, DealState>> = {
  determining: 'determining',
  weighing: 'determining',
  waiting: 'determining',
  'awaiting-owner': 'awaiting-owner',
  settling: 'settling',
  settled: 'settled',
  recorded: 'recorded',
  failed: 'failed',
  unwinding: 'stopped',
  stopped: 'stopped',
};

interface DealSnapshot {
  readonly value: unknown;
  readonly context: Parameters<typeof holdsLot>[0] & {
    readonly decisionMs: number;
    readonly approvalMs: number;
    readonly reason: string | null;
    readonly tx: string | null;
    readonly block: string | null;
  };
}

/** What is shown of a deal whose machine is in this state. @throws Error for a state that is not shown */
export function shownDealState(value: unknown): DealState {
  const state = STATE[String(value)];
  if (state === undefined) throw new Error(`the deal machine has no row for its state "${String(value)}"`);
  return state;
}

/**
 * Shows the deal actor's state, its settlement, and the deadline while it waits for an owner, to the owners who may ask.
 * Nothing else writes these.
 */
export async function projectDeal(
  trx: Trx,
  dealId: string,
  { value, context }: DealSnapshot,
  now: Date,
): Promise<void> {
  const state = shownDealState(value);
  const { tx } = context;
  const waitsMs = holdsLot(context) ? context.approvalMs : context.decisionMs;
  if (state === 'awaiting-owner') await keepDeadline(trx, dealId, waitsMs);
  const block = context.block === null ? null : BigInt(context.block);
  // A snapshot of version 1 does not know the block, which its row has.
  const settlement = block !== null || state === 'failed' ? { tx, settled_block: block } : {};
  await trx
    .updateTable('deals')
    .set({
      state,
      reason: context.reason,
      deadline: state === 'awaiting-owner' ? new Date(now.getTime() + waitsMs) : null,
      updated_at: now,
      ...settlement,
    })
    .where('deal_id', '=', dealId)
    .where((eb) =>
      block === null
        ? eb('state', '!=', state)
        : eb.or([eb('state', '!=', state), eb('tx', '!=', tx), eb('settled_block', '!=', block)]),
    )
    .execute();
}

/** Once the one owner has decided, the other has what is left of its own time, counted from when both were asked. */
async function keepDeadline(trx: Trx, dealId: string, waitsMs: number): Promise<void> {
  const waiting = await trx
    .selectFrom('deals')
    .select(['deadline', 'updated_at'])
    .where('deal_id', '=', dealId)
    .where('state', '=', 'awaiting-owner')
    .executeTakeFirst();
  if (waiting === undefined) return;
  const deadline = new Date(waiting.updated_at.getTime() + waitsMs);
  if (deadline.getTime() === waiting.deadline?.getTime()) return;
  await trx.updateTable('deals').set({ deadline }).where('deal_id', '=', dealId).execute();
}
