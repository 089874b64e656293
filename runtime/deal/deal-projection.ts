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
  readonly context: {
    readonly decisionMs: number;
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
  const block = context.block === null ? null : BigInt(context.block);
  // A snapshot of version 1 does not know the block, which its row has.
  const settlement = block !== null || state === 'failed' ? { tx, settled_block: block } : {};
  await trx
    .updateTable('deals')
    .set({
      state,
      reason: context.reason,
      deadline: state === 'awaiting-owner' ? new Date(now.getTime() + context.decisionMs) : null,
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
