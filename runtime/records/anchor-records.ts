import type { Hex } from '../../agents/canonical.ts';
import { type Anchor, anchorPurpose, anchorRoot, findAnchor } from '../../chain/clients/ledger.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { type Batch, closeBatch, markAnchored, openBatches } from '../../store/records/records.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import { atRest, type RecurringJob } from '../durable/jobs/recurring-job.ts';
import { holdsRole } from '../keys/own-roles.ts';
import type { Services } from '../services.ts';

/** Generous, because it waits for transactions. */
const LIMIT_MS = 300_000;
/** Of all batches that are open, one after the other. */
const ALL_MS = 3_600_000;

/** So many are sealed in one run: what is left waits for the next. */
const MOST_BATCHES = 20;

/** Seals and anchors records again and again, on the chain that has the ledger. */
export function anchorRecordsJob(services: Services): RecurringJob {
  const item = String(services.home.chainId);
  const everyMs = services.config.anchorSeconds * 1000;
  return {
    kind: 'anchor-records',
    lane: 'upkeep',
    items: [item],
    everyMs,
    timeLimitMs: ALL_MS,
    waits: ({ openRecords }) => (openRecords ? [item] : []),
    async run() {
      return (await anchorRecords(services)) === null ? atRest({ everyMs }) : undefined;
    },
  };
}

/**
 * Seals records that are in no batch yet, and anchors every open batch, the oldest first. The root identifies a batch
 * on chain: after a crash at any point the batch stays open, and the next run, in any process, finds that its root is
 * anchored, or under way, or anchors it.
 * @returns how many batches were seen on chain; null when none was open
 */
export async function anchorRecords(services: Services): Promise<number | null> {
  for (let n = 0; n < MOST_BATCHES; n++) {
    if ((await closeBatch(services.db)) === null) break;
  }
  services.crash('after-seal-before-anchor');
  const batches = new Map((await openBatches(services.db)).map((batch) => [batch.batchId.toString(), batch]));
  const round = await eachIsolated(
    services.quarantine,
    'anchor',
    [...batches.keys()].map((id) => ({ id })),
    async ({ id }) => {
      const batch = batches.get(id)!;
      const seen = await anchor(services, batch);
      if (seen === null) return false;
      services.crash('after-anchor-before-commit');
      await services.db
        .transaction()
        .execute((trx) =>
          markAnchored(trx, batch.batchId, { tx: seen.tx, block: seen.block, at: services.now() }),
        );
      return true;
    },
    { atOnce: 1, limitMs: LIMIT_MS, relisted: true, alive: () => services.home.readers.viem.head() },
  );
  return batches.size === 0 ? null : round.done.filter(Boolean).length;
}

/** @returns null when a transaction of this or another process is on its way, or nothing may be anchored now */
async function anchor(services: Services, batch: Batch): Promise<Anchor | null> {
  const { readers, deployment, recorder } = services.home;
  const root = batch.root as Hex;
  // Must be asked before reading the chain: a transaction that ends in between is then found there.
  if (await recorder.underWay(anchorPurpose(root))) return null;
  const standing = await findAnchor(readers.viem, deployment, root);
  if (standing !== null) return standing;
  // Its batch stays open, and the next round asks again.
  if (!(await holdsRole(services.home, 'recorder'))) return null;
  try {
    return await anchorRoot(recorder, deployment, root, batch.size, () =>
      services.crash('after-anchor-sent-before-receipt'),
    );
  } catch (error) {
    // Another process anchored it first.
    if (!(error instanceof ChainError) || error.errorName !== 'AlreadyAnchored') throw error;
    return await findAnchor(readers.viem, deployment, root);
  }
}
