import type { Hex } from 'viem';
import { readable } from '../../agents/readable.ts';
import { findAnchor } from '../../chain/clients/ledger.ts';
import type { Settled } from '../../chain/clients/settlement.ts';
import { findSettlement } from '../../chain/indexer/find-settlement.ts';
import { forkWatch } from '../../chain/indexer/fork-watch.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { ADVISORY_LOCKS } from '../../store/advisory-locks.ts';
import { findDeal } from '../../store/deal/deals.ts';
import {
  anchorsSince,
  type BookedSettlement,
  moveAnchor,
  moveSettlement,
  reopenBatch,
  revokeSettlement,
  settlementsSince,
} from '../../store/deal/resettlements.ts';
import { keepRefusal } from '../../store/deal/signings.ts';
import { type HeldLock, underAdvisoryLock } from '../../store/durable/advisory-lock.ts';
import { insertRecord, isFiled } from '../../store/records/records.ts';
import { rebookMints } from '../checkout/public.ts';
import {
  correctedDealRecord,
  dealRecordId,
  NOT_FINAL,
  NotSettleable,
  revokedDealRecord,
  settleAgain,
  settlementOver,
  settlementTerms,
  settlementUnderWay,
  tellClosed,
} from '../deal/public.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import { dealActor } from '../machines.ts';
import type { Services } from '../services.ts';

/** How far back what was booked is read again when the chain went back. */
const BLOCKS = 256n;
/**
 * Who had a receipt in hand when the chain went back books it after the look that noticed. An attempt takes five minutes
 * at most, and then counts for nothing: so long, and a little more, what is newly booked is read again, too.
 */
const LATE_MS = 360_000;
/** How often what is newly booked is read again while it stands as booked. */
const AGAIN_MS = 10_000;
/** How long to wait for a settlement that is sent again. */
const LIMIT_MS = 300_000;

/**
 * Each run checks the home chain for a reorg. After one, it reads again every mint, settlement and anchor that was booked
 * in the newest blocks. The signer rebroadcasts the same transactions by itself, and this waits for them. A settlement
 * that is gone all the same is sent again under its deal id, which the contract accepts once. An anchor that is gone is
 * no longer booked, and its root is anchored again. The runs go on until everything booked is on chain.
 * @param alone does something that no other process does at the same time: null when one does
 */
export function chainWatch(
  services: Services,
  look: ReturnType<typeof forkWatch> = forkWatch(services.home.rpcUrl),
  alone: Alone = (act) => underAdvisoryLock(services.db, ADVISORY_LOCKS.resettlements, act),
): () => Promise<void> {
  let doubt = false;
  let doubtUntil = 0;
  let readAt = 0;
  /** What was seen to stand since the chain last went back, as it is booked. */
  const stood = new Set<string>();
  return async () => {
    const { head, wentBack } = await look();
    const now = services.now().getTime();
    if (wentBack) {
      doubtUntil = now + LATE_MS;
      stood.clear();
    }
    if (!doubt && !wentBack && (now > doubtUntil || now < readAt + AGAIN_MS)) return;
    doubt = true;
    readAt = now;
    const since = head > BLOCKS ? head - BLOCKS : 0n;
    const open = [await rebookMints(services, stood)];
    const alive = () => services.home.readers.viem.head();
    const anchors = await anchorsSince(services.db, since);
    const standsOf = (anchor: (typeof anchors)[number]) => standsAnchored(services, anchor);
    open.push(await each('booked-anchor', anchors, ({ batchId }) => batchId.toString(), standsOf));
    const settlements = await settlementsSince(services.db, since);
    const settled = (one: BookedSettlement) => stands(services, one, alone);
    open.push(await each('settlement', settlements, ({ dealId }) => dealId, settled));
    doubt = open.some((n) => n > 0);

    /** @returns how many are to be looked at again */
    async function each<Booked extends BookedAt>(
      kind: string,
      booked: readonly Booked[],
      idOf: (one: Booked) => string,
      look: (one: Booked) => Promise<boolean>,
    ): Promise<number> {
      const named = (one: Booked): string => `${kind} ${idOf(one)} ${one.tx} ${one.block}`;
      const unseen = new Map(booked.filter((one) => !stood.has(named(one))).map((one) => [idOf(one), one]));
      const round = await eachIsolated(
        services.quarantine,
        kind,
        [...unseen.keys()].map((id) => ({ id })),
        async ({ id }) => {
          const one = unseen.get(id)!;
          const done = await look(one);
          if (done) stood.add(named(one));
          return done;
        },
        { alive, atOnce: 1, limitMs: LIMIT_MS, relisted: true },
      );
      return round.open + round.done.filter((done) => !done).length;
    }
  };
}

type Alone = (act: (held: HeldLock) => Promise<boolean>) => Promise<boolean | null>;

interface BookedAt {
  readonly tx: string | null;
  readonly block: bigint | null;
}

/** Reads one booked anchor again. @returns true: what is gone is open again, for the round that anchors. @throws ReaderError */
async function standsAnchored(
  { db, home }: Services,
  anchor: Awaited<ReturnType<typeof anchorsSince>>[number],
): Promise<boolean> {
  const found = await findAnchor(home.readers.viem, home.deployment, anchor.root as Hex);
  if (found === null) await reopenBatch(db, anchor.batchId);
  else if (found.tx !== anchor.tx || found.block !== anchor.block)
    await moveAnchor(db, anchor.batchId, found);
  return true;
}

/** Reads one booked settlement again and does what that asks for. @returns whether nothing is left to do */
async function stands(services: Services, booked: BookedSettlement, alone: Alone): Promise<boolean> {
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
  return (await alone((held) => resettle(services, booked, held))) ?? false;
}

/** Sends a settlement that is gone once more, or gives it up. @returns whether nothing is left to do */
async function resettle(services: Services, booked: BookedSettlement, held: HeldLock): Promise<boolean> {
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
    if (await isBehind()) return false;
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
    if (over.kind === 'open') return false;
    await revoke(services, booked, error.message, held);
    return true;
  }
}

async function rebook(services: Services, booked: BookedSettlement, { tx, block }: Settled): Promise<void> {
  const { dealId } = booked;
  const corrected = tx === booked.tx ? null : await correctedDealRecord(services, dealId, tx);
  await services.db.transaction().execute(async (trx) => {
    const event = { type: 'MOVED', tx, block: block.toString() };
    const eventId = services.newId('moved');
    // The deal's actor is locked by it: a record that was filed meanwhile is seen from here on, and none is filed until this ends.
    await applyEvent(trx, dealActor, { key: dealId, eventId, event, now: services.now() });
    await moveSettlement(trx, { dealId, tx });
    if (corrected) await insertRecord(trx, corrected);
    else if (tx !== booked.tx && (await isFiled(trx, dealRecordId(dealId))))
      throw new Error(`the record of deal ${dealId} was filed while its settlement was booked anew`);
  });
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
    await revokeSettlement(trx, { dealId, now });
    if (record) await insertRecord(trx, record);
    // Their deal is over, and no record of it will tell them.
    const deal = await findDeal(trx, dealId);
    if (deal) await tellClosed(trx, deal, now);
    // Whoever hung until now may not give up what another process has sent meanwhile.
    await held.fence(trx);
  });
}
