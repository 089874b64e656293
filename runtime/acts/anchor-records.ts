import type { Hex } from '../../agents/canonical.ts';
import { ChainError } from '../../chain/chain-error.ts';
import { type Anchor, anchorPurpose, anchorRoot, findAnchor } from '../../chain/ledger.ts';
import { type Batch, markAnchored, openBatches, sealBatch } from '../../store/records.ts';
import type { Services } from '../services.ts';

/**
 * Seals what records stand unbatched and anchors every open batch, oldest first. The root is the key on chain: a
 * crash at any point leaves an open batch, and the next round, in any process, finds its root anchored, sees that it
 * is under way, or anchors it.
 * @returns how many batches were seen on chain
 */
export async function anchorRecords(services: Services): Promise<number> {
  await sealBatch(services.db);
  services.crash('after-seal-before-anchor');
  let anchored = 0;
  for (const batch of await openBatches(services.db)) {
    const seen = await anchor(services, batch);
    if (seen === null) continue;
    services.crash('after-anchor-before-commit');
    await services.db
      .transaction()
      .execute((trx) =>
        markAnchored(trx, batch.batchId, { tx: seen.tx, block: seen.block, at: services.now() }),
      );
    anchored++;
  }
  return anchored;
}

/** Null when it is on its way already, by this process or another. */
async function anchor(services: Services, batch: Batch): Promise<Anchor | null> {
  const { readers, deployment, operator } = services.home;
  const root = batch.root as Hex;
  // Asked first: what was sent and is under way no more is mined, and is found.
  if (await operator.underWay(anchorPurpose(root))) return null;
  const standing = await findAnchor(readers.viem, deployment, root);
  if (standing !== null) return standing;
  try {
    return await anchorRoot(operator, deployment, root, batch.size, () =>
      services.crash('after-anchor-sent-before-receipt'),
    );
  } catch (error) {
    // Another process was first.
    if (!(error instanceof ChainError) || error.errorName !== 'AlreadyAnchored') throw error;
    return await findAnchor(readers.viem, deployment, root);
  }
}
