import { isNothing, type PendingWork, pendingWork } from '../store/pending-work.ts';
import { sequenceEvents } from '../store/records/public-events.ts';
import { followAgents } from './agent/follow-agents.ts';
import { ownersFollowed } from './agent/follow-owners.ts';
import { concludeDisputes } from './certificates/conclude-disputes.ts';
import { followCertificates } from './certificates/follow-certificates.ts';
import { newestBlock } from './chain-sync/newest-block.ts';
import { chainWatch } from './chain-sync/watch-chain.ts';
import { jobsBroughtForward } from './durable/jobs/bring-forward.ts';
import type { RecurringJob } from './durable/jobs/recurring-job.ts';
import { every as repeat } from './durable/workers/every.ts';
import { onceFor, sharedLook, whileDue } from './durable/workers/gates.ts';
import type { Guard, PeriodicTask } from './durable/workers/leader.ts';
import { followAssets } from './market/listings/follow-assets.ts';
import { takeBackListings } from './market/listings/take-back-listings.ts';
import { closeCallsPublished, expireOrders } from './market/orders/expire-and-publish.ts';
import { unfundedReviewed } from './market/orders/review-unfunded.ts';
import { tellMarket } from './market/tell-market.ts';
import type { GasGuard } from './payments/gas-guard.ts';
import { paymentsReconciled } from './payments/reconcile-payments.ts';
import type { Services } from './services.ts';

/** How often it is looked whether the chain went back. */
const CHAIN_MS = 1_500;
/** How often the gas money is read when nobody asks. */
const FUNDS_MS = 30_000;
const FOLLOW_MS = 2_000;
const EXPIRE_MS = 1_000;
const TELL_MS = 500;
/** Shorter than any of these, so that none acts on the look of its own last time. */
const LOOK_MS = 400;
/** And while nothing is there. */
const LOOK_AT_REST_MS = 950;
/** A task runs this often although no block and no row asks for it: for what it has set aside. */
const IDLE_MS = 30_000;
/** How often payments are looked for whose requests ended before they did. */
const PAYMENTS_MS = 5_000;
/** Those who listen have events numbered at once; what nobody heard is numbered too. */
const NUMBER_MS = 5_000;
const MINUTE_MS = 60_000;

/**
 * What one process does again and again for all. At rest it asks one statement for all that rows call for, and the head of
 * the chain for all that blocks call for.
 * @param jobs what recurs as rows of the outbox, brought forward when there is something to do for it
 * @param guarded what makes each run ask first whether this process still leads
 */
export function periodicTasks(
  services: Services,
  gas: GasGuard,
  jobs: readonly RecurringJob[],
  guarded: Guard,
): PeriodicTask[] {
  const { db, log, home, chains } = services;
  const every = (ms: number, task: () => Promise<unknown>) => repeat(ms, guarded(task), log);
  const look = sharedLook(LOOK_MS, () => pendingWork(db, services.now()), undefined, {
    restMs: LOOK_AT_REST_MS,
    isNothing,
  });
  const headOf = new Map(
    [...chains].map(([id, chain]) => [id, sharedLook(CHAIN_MS, () => newestBlock(chain))] as const),
  );
  const head = headOf.get(home.chainId)!;
  /** A chain that does not answer has no new block that anybody could read. */
  const heads = async (): Promise<ReadonlyMap<number, string>> => {
    const all = await Promise.allSettled([...headOf].map(async ([id, ask]) => [id, await ask()] as const));
    return new Map(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  };
  const whileThere = (ms: number, which: (work: PendingWork) => boolean, task: () => Promise<unknown>) =>
    every(
      ms,
      whileDue(async () => which(await look()), task, IDLE_MS),
    );
  const eachBlock = (task: () => Promise<unknown>, follows: () => Promise<unknown> = head) =>
    every(FOLLOW_MS, onceFor(follows, task, IDLE_MS));
  return [
    every(CHAIN_MS, chainWatch(services)),
    ...[...chains.values()].map((chain) => every(FUNDS_MS, () => chain.funds())),
    every(FUNDS_MS, () => home.roles()),
    eachBlock(() => followCertificates(services)),
    eachBlock(() => followAgents(services)),
    eachBlock(() => followAssets(services)),
    // A new owner comes with a row, and not always with a block.
    eachBlock(ownersFollowed(services), async () => ((await look()).newOwners ? Symbol('new') : head())),
    whileThere(
      EXPIRE_MS,
      (work) => work.overdueOrders,
      () => expireOrders(services),
    ),
    whileThere(FOLLOW_MS, (work) => work.unfundedOrders, unfundedReviewed(services)),
    whileThere(
      FOLLOW_MS,
      (work) => work.decidedDisputes,
      () => concludeDisputes(services),
    ),
    whileThere(
      FOLLOW_MS,
      (work) => work.listingsOver,
      () => takeBackListings(services),
    ),
    whileThere(
      TELL_MS,
      (work) => work.marketChanges,
      () => tellMarket(services),
    ),
    every(
      TELL_MS,
      jobsBroughtForward({ db, jobs, look: async () => ({ ...(await look()), heads: await heads() }) }),
    ),
    // What is over is published at the turn of the hour; asked again, it publishes nothing twice.
    every(MINUTE_MS, closeCallsPublished(services)),
    every(PAYMENTS_MS, paymentsReconciled(services, gas)),
    every(NUMBER_MS, () => sequenceEvents(db)),
  ];
}
