import type { Hex } from '../../agents/canonical.ts';
import { anchorRoot, findAnchor } from '../../chain/ledger.ts';
import { markAnchored, openBatches, sealBatch } from '../../store/records.ts';
import type { Services } from '../services.ts';

/**
 * Seals what records stand unbatched and anchors every open batch, oldest first. The root is the key on chain: a
 * crash at any point leaves an open batch, and the next round finds its root anchored or anchors it.
 * @returns how many batches were seen on chain
 */
export async function anchorRecords(services: Services): Promise<number> {
  const { readers, deployment, operator } = services.home;
  await sealBatch(services.db);
  let anchored = 0;
  for (const batch of await openBatches(services.db)) {
    const seen =
      (await findAnchor(readers.viem, deployment, batch.root as Hex)) ??
      (await anchorRoot(operator, deployment, batch.root as Hex, batch.size));
    await services.db
      .transaction()
      .execute((trx) =>
        markAnchored(trx, batch.batchId, { tx: seen.tx, block: seen.block, at: services.now() }),
      );
    anchored++;
  }
  return anchored;
}
