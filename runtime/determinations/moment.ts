import { readOnce as readChainOnce } from '../../chain/rpc/read-once.ts';
import type { Head } from '../../chain/rpc/reader.ts';
import { readOnce as readDatabaseOnce } from '../../store/read-once.ts';
import type { EvidenceDeps } from './deps.ts';

/**
 * For several determinations about one thing, such as those of both sides of a deal: they read the database and each
 * chain, through each client, once, at one block and at one time. Nothing is shared between clients, so that seats stay
 * independent; nothing outlives the moment.
 */
export function atOneMoment(deps: EvidenceDeps): EvidenceDeps {
  const at = deps.now();
  const readers = new Map(
    [...deps.readers].map(([id, { viem, ethers }]) => [
      id,
      { viem: readChainOnce(viem), ethers: readChainOnce(ethers) },
    ]),
  );
  const db = readDatabaseOnce(deps.db);
  const heads = new Map<number, Promise<Head>>();
  return {
    ...deps,
    db,
    readers,
    now: () => at,
    clock: deps.now,
    pins: {
      heads,
      forget: () => {
        heads.clear();
        // What is held of a chain is of before it went another way.
        db.forget();
        for (const { viem, ethers } of readers.values()) {
          viem.forget();
          ethers.forget();
        }
      },
    },
  };
}
