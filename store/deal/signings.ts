import type { Database } from '../database.ts';
import { type GasCharge, takeEachGas } from '../payments/relay-budgets.ts';

/** What is known of the settlements that both keys signed for a deal, and that were sent. */
export interface Signing {
  readonly deal_id: string;
  readonly signing: number;
  /** In unix seconds: the latest deadline; null when nothing was sent. */
  readonly signed_until: bigint | null;
  /** The first block that was seen after it. */
  readonly signed_over: bigint | null;
}

/**
 * Keeps the deadline of what is about to be sent, in place of an earlier one.
 * @returns false when another attempt has signed or ended the signing since the deal was read: then nothing may be sent
 */
export async function keepDeadline(db: Database, deal: Signing, deadline: bigint): Promise<boolean> {
  const { signed_until: before } = deal;
  const signed_until = before !== null && before > deadline ? before : deadline;
  return await change(db, deal, { signed_until, signed_over: null });
}

/** Ends the signing by attempts that have read the deal already. @returns false as {@link keepDeadline} */
export async function endSigning(db: Database, deal: Signing): Promise<boolean> {
  return await change(db, deal, {});
}

async function change(
  db: Database,
  { deal_id, signing }: Signing,
  to: { signed_until?: bigint; signed_over?: null },
): Promise<boolean> {
  const rows = await db
    .updateTable('deals')
    .set({ ...to, signing: signing + 1 })
    .where('deal_id', '=', deal_id)
    .where('signing', '=', signing)
    .returning('deal_id')
    .execute();
  return rows.length > 0;
}

/** Keeps the first block that was seen after the deadline. @returns that block */
export async function keepOver(db: Database, deal: Signing, block: bigint): Promise<bigint> {
  if (deal.signed_over !== null) return deal.signed_over;
  await db
    .updateTable('deals')
    .set({ signed_over: block })
    .where('deal_id', '=', deal.deal_id)
    .where('signing', '=', deal.signing)
    .where('signed_over', 'is', null)
    .execute();
  return block;
}

/**
 * Keeps why the chain refused a settlement in a block: it is not sent again.
 * @param burnt what it cost counts with the deal's first refusal, and not again
 */
export async function keepRefusal(
  db: Database,
  dealId: string,
  refusal: string,
  burnt?: { readonly charges: readonly GasCharge[]; readonly now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const kept = await trx
      .updateTable('deals')
      .set({ refusal })
      .where('deal_id', '=', dealId)
      .where('refusal', 'is', null)
      .returning('deal_id')
      .execute();
    if (kept.length > 0 && burnt !== undefined) await takeEachGas(trx, burnt.charges, burnt.now);
  });
}
