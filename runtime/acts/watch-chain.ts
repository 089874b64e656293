import type { Hex } from 'viem';
import { keccak } from '../../agents/canonical.ts';
import { ChainError } from '../../chain/chain-error.ts';
import { forkWatch } from '../../chain/fork-watch.ts';
import { findAnchor } from '../../chain/ledger.ts';
import { findSettlement, type Settled } from '../../chain/settlement.ts';
import { findDeal } from '../../store/deals.ts';
import { insertRecord } from '../../store/records.ts';
import {
  anchorsSince,
  type BookedSettlement,
  moveAnchor,
  moveSettlement,
  reopenBatch,
  revokeSettlement,
  settlementsSince,
} from '../../store/resettlements.ts';
import { deliver } from '../actors/mailbox.ts';
import { correctedDealRecord, revokedDealRecord } from '../deal-record.ts';
import type { Services } from '../services.ts';
import { rebookMints } from './rebook-mints.ts';
import { NotSettleable, settlementUnderWay, settleOnChain } from './settle-deal.ts';

/** How far back what was booked is read again when the chain went back. */
const BLOCKS = 256n;
/**
 * Who had a receipt in hand when the chain went back books it after the look that noticed. An attempt takes five minutes
 * at most, and then counts for nothing: so long, and a little more, what is newly booked is read again, too.
 */
const LATE_MS = 360_000;

/**
 * One round looks whether the home chain took blocks back. If so, every mint, settlement and anchor booked in its newest
 * blocks is read again. What the signer sends again by itself, the same transaction, is waited for; a settlement that
 * is gone all the same is made again under its deal id, which the contract takes once; a root that is gone is no
 * longer booked as anchored, and anchored again. Rounds go on until everything booked stands.
 */
export function chainWatch(
  services: Services,
  look: ReturnType<typeof forkWatch> = forkWatch(services.home.rpcUrl),
): () => Promise<void> {
  let doubt = false;
  let doubtUntil = 0;
  /** What was seen to stand since the chain last went back, as it is booked. */
  const stood = new Set<string>();
  return async () => {
    const { head, wentBack } = await look();
    const now = services.now().getTime();
    if (wentBack) {
      doubtUntil = now + LATE_MS;
      stood.clear();
    }
    if (!doubt && now > doubtUntil) return;
    doubt = true;
    const since = head > BLOCKS ? head - BLOCKS : 0n;
    let open = await rebookMints(services);
    for (const anchor of await anchorsSince(services.db, since)) {
      const booked = `${anchor.batchId} ${anchor.tx} ${anchor.block}`;
      if (stood.has(booked)) continue;
      const { readers, deployment } = services.home;
      const found = await findAnchor(readers.viem, deployment, anchor.root as Hex);
      if (found === null) await reopenBatch(services.db, anchor.batchId);
      else if (found.tx !== anchor.tx || found.block !== anchor.block)
        await moveAnchor(services.db, anchor.batchId, found);
      stood.add(booked);
    }
    for (const booked of await settlementsSince(services.db, since)) {
      const name = `${booked.dealId} ${booked.tx} ${booked.block}`;
      if (stood.has(name)) continue;
      if (await stands(services, booked)) stood.add(name);
      else open++;
    }
    doubt = open > 0;
  };
}

/** Reads one booked settlement again and does what that asks for. @returns whether nothing is left to do */
async function stands(services: Services, booked: BookedSettlement): Promise<boolean> {
  const { dealId } = booked;
  const { readers, deployment } = services.home;
  const found = await findSettlement(readers.viem, deployment, keccak(dealId));
  if (found !== null) {
    if (found.tx !== booked.tx || found.block !== booked.block) await rebook(services, booked, found);
    return true;
  }
  if (await settlementUnderWay(services, dealId)) return false;
  services.log.warn({ dealId, tx: booked.tx }, 'the chain took a settlement back: it is made again');
  try {
    await rebook(services, booked, await settleOnChain(services, dealId));
    return true;
  } catch (error) {
    const final =
      error instanceof NotSettleable || (error instanceof ChainError && error.kind === 'reverted');
    if (!final) throw error;
    // Another process was first: the next round finds where.
    if (error instanceof ChainError && error.errorName === 'DealAlreadySettled') return false;
    // A node that is behind refuses what stands in blocks that it does not have yet.
    if ((await readers.viem.head()).number < booked.block) return false;
    await revoke(services, booked, error.message);
    return true;
  }
}

async function rebook(services: Services, booked: BookedSettlement, { tx, block }: Settled): Promise<void> {
  const { dealId } = booked;
  const corrected = tx === booked.tx ? null : await correctedDealRecord(services, dealId, tx);
  await services.db.transaction().execute(async (trx) => {
    await moveSettlement(trx, { dealId, tx, block, now: services.now() });
    if (corrected) await insertRecord(trx, corrected);
  });
}

async function revoke(services: Services, booked: BookedSettlement, reason: string): Promise<void> {
  const { dealId } = booked;
  services.log.error(
    { dealId, tx: booked.tx, reason },
    'the chain took a settlement back and refuses it now: a person must look at this deal',
  );
  const record = await revokedDealRecord(services, dealId);
  await services.db.transaction().execute(async (trx) => {
    await revokeSettlement(trx, {
      dealId,
      reason: `the chain took the settlement back and refused it again: ${reason}`,
      now: services.now(),
    });
    if (record) await insertRecord(trx, record);
    // Their deal is over, and no record of it will tell them.
    const deal = await findDeal(trx, dealId);
    for (const handle of deal ? [deal.buyer, deal.seller] : []) {
      await deliver(trx, {
        actorId: `agent:${handle}`,
        eventId: `closed:${dealId}`,
        event: { type: 'DEAL_CLOSED', dealId },
        now: services.now(),
      });
    }
  });
}
