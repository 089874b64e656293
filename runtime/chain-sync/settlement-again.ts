import { readable } from '../../agents/readable.ts';
import type { Settled } from '../../chain/clients/settlement.ts';
import { findSettlement } from '../../chain/indexer/find-settlement.ts';
import { isMissedFor, type Missed } from '../../chain/indexer/missed.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import type { Trx } from '../../store/database.ts';
import { findDeal, loadDeal } from '../../store/deal/deals.ts';
import { type BookedSettlement, moveSettlement, revokeSettlement } from '../../store/deal/resettlements.ts';
import { keepRefusal } from '../../store/deal/signings.ts';
import type { HeldLock } from '../../store/durable/advisory-lock.ts';
import { fileInPlace } from '../../store/records/record-status.ts';
import { isFiled, type SignedRecord } from '../../store/records/records.ts';
import {
  correctedDealRecord,
  dealRecordId,
  NOT_FINAL,
  NotSettleable,
  revokedDealRecord,
  saleOf,
  settleAgain,
  settlementOver,
  settlementTerms,
  settlementUnderWay,
  tellClosed,
} from '../deal/public.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import { dealActor } from '../machines.ts';
import type { Services } from '../services.ts';

/** Does something that no other process does at the same time: null when one does. */
export type Alone = (act: (held: HeldLock) => Promise<boolean>) => Promise<boolean | null>;

/**
 * Reads one booked settlement again and does what that asks for.
 * @param missed since which block each that is gone is missed; it is added to
 * @returns whether nothing is left to do
 */
export async function standsSettled(
  services: Services,
  booked: BookedSettlement,
  missed: Missed,
  alone: Alone,
): Promise<boolean> {
  const { readers, deployment } = services.home;
  const found = await findSettlement(
    readers.viem,
    deployment,
    await settlementTerms(services, booked.dealId),
  );
  if (found.kind === 'settled') {
    if (found.tx !== booked.tx || found.block !== booked.block) await rebook(services, booked, found);
    return true;
  }
  // What one process gives up, another must not send at the same time.
  return (await alone((held) => resettle(services, booked, missed, held))) ?? false;
}

/** Sends a settlement that is gone once more, or gives it up. @returns whether nothing is left to do */
async function resettle(
  services: Services,
  booked: BookedSettlement,
  missed: Missed,
  held: HeldLock,
): Promise<boolean> {
  const { dealId } = booked;
  const { readers, deployment } = services.home;
  const deal = await findDeal(services.db, dealId);
  if (deal === null || !['settled', 'recorded'].includes(deal.state)) return true;
  if (await settlementUnderWay(services, dealId)) return false;
  const found = await findSettlement(readers.viem, deployment, await settlementTerms(services, dealId));
  if (found.kind === 'settled') {
    await rebook(services, booked, found);
    return true;
  }
  // A node that is behind says wrongly what stands in blocks that it does not have yet.
  const isBehind = async (block = booked.block) => (await readers.viem.head()).number < block;
  if (found.kind === 'taken') {
    if ((await isBehind()) || !(await isGone(services, booked, missed))) return false;
    await revoke(services, booked, `another deal was settled under its id, by ${found.tx}`, held);
    return true;
  }
  // Whoever hung until now may not send what another process has given up meanwhile.
  if (!(await held.stillMine())) return false;
  services.log.warn({ dealId, tx: booked.tx }, 'a reorg removed a settlement: it is sent again');
  try {
    await rebook(services, booked, await settleAgain(services, dealId));
    return true;
  } catch (error) {
    const final =
      error instanceof NotSettleable || (error instanceof ChainError && error.kind === 'reverted');
    if (!final) throw error;
    // Another process was first: the next round finds where. What came after its deadline is signed anew by it.
    if (error instanceof ChainError && NOT_FINAL.has(error.errorName)) return false;
    // What was refused in a block may stand in one before it, and the node need not have said so when it was asked first.
    const refusedIn = error instanceof ChainError ? (error.block ?? 0n) : 0n;
    // Sent once more, it would cost as much, and be open for as long again.
    if (refusedIn > 0n) await keepRefusal(services.db, dealId, error.message);
    if ((await isBehind()) || (await isBehind(refusedIn))) return false;
    const over = await settlementOver(services, dealId);
    if (over.kind === 'settled') {
      await rebook(services, booked, over);
      return true;
    }
    // Anyone may still settle it by what both keys signed for it, before the chain went back or since.
    if (over.kind === 'open' || !(await isGone(services, booked, missed))) return false;
    await revoke(services, booked, error.message, held);
    return true;
  }
}

/** Whether a settlement is missed for as many blocks as a record rests on: what is given up is not booked again. */
async function isGone(
  { home, config }: Services,
  { dealId, tx }: BookedSettlement,
  missed: Missed,
): Promise<boolean> {
  const { number: head } = await home.readers.viem.head();
  return isMissedFor(missed, `settlement ${dealId} ${tx}`, head, config.confirmations);
}

async function rebook(services: Services, booked: BookedSettlement, { tx, block }: Settled): Promise<void> {
  const { dealId } = booked;
  const corrected = tx === booked.tx ? null : await correctedDealRecord(services, dealId, tx);
  await services.db.transaction().execute(async (trx) => {
    const event = { type: 'MOVED', tx, block: block.toString() };
    const eventId = services.newId('moved');
    // The deal's actor is locked by it: a record that was filed meanwhile is seen from here on, and none is filed until
    // this ends.
    await applyEvent(trx, dealActor, { key: dealId, eventId, event, now: services.now() });
    await moveSettlement(trx, { dealId, tx });
    const why = 'The chain went back, and the settlement stands in another transaction';
    if (tx !== booked.tx) await fileInstead(trx, dealId, corrected, why);
  });
}

/**
 * Files a record in place of those of the deal's settlement.
 * @param signed null where none was filed when it was asked for
 * @throws Error when one was filed since: the next look finds it
 */
async function fileInstead(
  trx: Trx,
  dealId: string,
  signed: SignedRecord | null,
  reason: string,
): Promise<void> {
  if (signed !== null) await fileInPlace(trx, saleOf(await loadDeal(trx, dealId)), signed, reason);
  else if (await isFiled(trx, dealRecordId(dealId)))
    throw new Error(`the record of deal ${dealId} was filed while its settlement was booked anew`);
}

async function revoke(
  services: Services,
  booked: BookedSettlement,
  reason: string,
  held: HeldLock,
): Promise<void> {
  const { dealId } = booked;
  services.log.error(
    { dealId, tx: booked.tx, reason },
    'a reorg removed a settlement, and it is not settled again: a person must look at this deal',
  );
  const record = await revokedDealRecord(services, dealId);
  await services.db.transaction().execute(async (trx) => {
    const now = services.now();
    const why = `the chain took the settlement back, and it is not settled again: ${reason}`;
    const event = { type: 'TAKEN_BACK', reason: readable(why, 2000) };
    await applyEvent(trx, dealActor, { key: dealId, eventId: 'taken-back', event, now });
    // Before the time of settlement goes, by which its records are found.
    await fileInstead(trx, dealId, record, 'The chain took the settlement back, and it is not settled again');
    await revokeSettlement(trx, { dealId, now });
    // Their deal is over, and no record of it will tell them.
    const deal = await findDeal(trx, dealId);
    if (deal) await tellClosed(trx, deal, now);
    // Whoever hung until now may not give up what another process has sent meanwhile.
    await held.fence(trx);
  });
}
