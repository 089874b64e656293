import type { Hex } from 'viem';
import { findAnchor } from '../../chain/clients/ledger.ts';
import { forkWatch } from '../../chain/indexer/fork-watch.ts';
import type { Missed } from '../../chain/indexer/missed.ts';
import { ADVISORY_LOCKS } from '../../store/advisory-locks.ts';
import {
  anchorsSince,
  type BookedAnchor,
  type BookedSettlement,
  moveAnchor,
  newestAnchors,
  newestBooked,
  reopenBatch,
  settlementsSince,
  unrecordedSettlements,
} from '../../store/deal/resettlements.ts';
import { underAdvisoryLock } from '../../store/durable/advisory-lock.ts';
import { rebookMints } from '../checkout/public.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import type { Services } from '../services.ts';
import { bookedDeep } from './booked-deep.ts';
import { type Alone, standsSettled } from './settlement-again.ts';

/** How far back what was booked is read again when the chain went back. */
const BLOCKS = 256n;
/**
 * A settlement is recorded within half a minute of its last confirmation. One that lies deeper by so many blocks is read
 * again, also when nobody saw the chain go back, as where it forked between two looks; and so is each mint and each anchor,
 * once.
 */
const OVERDUE = 32n;
/** No more anchors than these are booked between two such readings. */
const ANCHORS = 500;
/**
 * Who had a receipt in hand when the chain went back books it after the look that noticed. An attempt takes five minutes
 * at most, and then counts for nothing: so long, and a little more, what is newly booked is read again, too.
 */
const LATE_MS = 360_000;
/** How often what is newly booked, or not recorded in time, is read again while it stands as booked. */
const AGAIN_MS = 10_000;
/** How long to wait for a settlement that is sent again. */
const LIMIT_MS = 300_000;

/**
 * Each run checks the home chain for a reorg. After one, it reads again every mint, settlement and anchor that was booked
 * in the newest blocks, and every settlement that is not recorded yet. Without one, what nobody may have seen go is read
 * when it lies deep. The signer rebroadcasts the same transactions by
 * itself, and this waits for them. A settlement that is gone all the same is sent again under its deal id, which the
 * contract accepts once. An anchor that is gone is no longer booked, and its root is anchored again. The runs go on until
 * everything booked is on chain.
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
  /** What was booked since this block is read: it stays the same while the head moves on. Null without a doubt. */
  let since: bigint | null = null;
  /** What was seen to stand since the chain last went back, as it is booked. */
  const stood = new Set<string>();
  const missed: Missed = new Map();
  const mints = { stood, missed };
  const deep = bookedDeep(BigInt(services.config.confirmations) + OVERDUE);
  return async () => {
    const { head, wentBack } = await look();
    const now = services.now().getTime();
    if (wentBack) {
      doubtUntil = now + LATE_MS;
      stood.clear();
      missed.clear();
    }
    if (!doubt && !wentBack && now < readAt + AGAIN_MS) return;
    doubt = doubt || wentBack || now <= doubtUntil;
    readAt = now;
    const alive = () => services.home.readers.viem.head();
    const unrecorded = await unrecordedSettlements(services.db);
    const settled = (one: BookedSettlement) => standsSettled(services, one, missed, alone);
    const anchored = (one: BookedAnchor) => standsAnchored(services, one);
    const batchOf = ({ batchId }: BookedAnchor): string => batchId.toString();
    deep.see(head, services.now());
    if (!doubt) {
      since = null;
      stood.clear();
      missed.clear();
      const due = head - BigInt(services.config.confirmations) - OVERDUE;
      const overdue = unrecorded.filter(({ block }) => block < due);
      const left = [await each('settlement', overdue, ({ dealId }) => dealId, settled)];
      const booked = deep.due();
      if (booked !== null) {
        left.push(await rebookMints(services, mints, booked));
        const newest = await newestAnchors(services.db, ANCHORS);
        const bookedThen = newest.filter(({ at }) => at >= booked.from && at < booked.to);
        left.push(await each('booked-anchor', bookedThen, batchOf, anchored));
        deep.read(booked);
      }
      doubt = left.some((n) => n > 0);
      return;
    }
    // While nobody watched, the head moved on, and nothing was booked.
    const newest = (await newestBooked(services.db)) ?? head;
    since = lowest(since ?? head, lowest(head, newest) - BLOCKS);
    const open = [await rebookMints(services, mints)];
    open.push(await each('booked-anchor', await anchorsSince(services.db, since), batchOf, anchored));
    const settlements = await settlementsSince(services.db, since);
    const listed = new Map([...unrecorded, ...settlements].map((one) => [one.dealId, one]));
    open.push(await each('settlement', [...listed.values()], ({ dealId }) => dealId, settled));
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

const lowest = (one: bigint, other: bigint): bigint => (one < other ? one : other);

interface BookedAt {
  readonly tx: string | null;
  readonly block: bigint | null;
}

/** Reads one booked anchor again. @returns true: what is gone is open again, for the round that anchors. @throws ReaderError */
async function standsAnchored({ db, home }: Services, anchor: BookedAnchor): Promise<boolean> {
  const found = await findAnchor(home.readers.viem, home.deployment, anchor.root as Hex);
  if (found === null) await reopenBatch(db, anchor.batchId);
  else if (found.tx !== anchor.tx || found.block !== anchor.block)
    await moveAnchor(db, anchor.batchId, found);
  return true;
}
