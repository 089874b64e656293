import { parseAssetKey } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import { isListed, setListed } from '../../../chain/clients/asset-listings.ts';
import { ChainError } from '../../../chain/rpc/chain-error.ts';
import {
  chainListingName,
  forgetChainListing,
  leaveChainListing,
  takeChainListings,
} from '../../../store/market/chain-listings.ts';
import { eachIsolated } from '../../durable/isolation/each-isolated.ts';
import type { Services } from '../../services.ts';

const AT_ONCE = 50;
/** It waits for a transaction. */
const LIMIT_MS = 300_000;

type TakenListing = Awaited<ReturnType<typeof takeChainListings>>[number];

/**
 * Removes from the chain what an owner allowed to be sold and no listing here needs any more: the listing was
 * cancelled, has expired, never came about, or a reorg removed its sale. Until then the runtime's key could still sell
 * the asset. Only the guardian may remove it. If the guardian's key is somebody else's, only the owner can, and the log
 * says so.
 * @returns how many were removed
 * @throws ReaderError, ChainError when the chain does not answer; the next run continues. One that fails by itself goes
 *   into quarantine
 */
export async function takeBackListings(services: Services): Promise<number> {
  const { db, home, log } = services;
  const { operator, deployment, readers } = home;
  const kind = 'chain-listing';
  const rows = new Map(
    (await takeChainListings(db, { now: services.now(), limit: AT_ONCE, quarantine: kind })).map((row) => [
      chainListingName(row),
      row,
    ]),
  );
  const takeBack = async (row: TakenListing): Promise<boolean> => {
    const token = parseAssetKey(row.token_key) as TokenAsset;
    const listing = { agentId: row.token_id, asset: token.contract, tokenId: BigInt(token.tokenId) };
    let taken = false;
    try {
      const { number: block } = await readers.viem.head();
      taken = await isListed(readers.viem, deployment, listing, block);
      if (taken) await setListed(operator, deployment, listing, null);
    } catch (error) {
      if (!(error instanceof ChainError) || error.kind !== 'reverted') throw error;
      log.warn(
        { handle: row.handle, asset: row.token_key, error: error.message },
        'a listing that is over stays on chain: its owner must take it back',
      );
    }
    await forgetChainListing(db, row);
    return taken;
  };
  const ended = new Set<string>();
  try {
    const { done } = await eachIsolated(
      services.quarantine,
      kind,
      [...rows.keys()].map((id) => ({ id })),
      async ({ id }) => {
        const taken = await takeBack(rows.get(id)!);
        ended.add(id);
        return taken;
      },
      { alive: () => readers.viem.head(), limitMs: LIMIT_MS, relisted: true },
    );
    return done.filter(Boolean).length;
  } finally {
    // Whatever happened to the others, they are released so that the next run may take them.
    for (const [id, row] of rows) if (!ended.has(id)) await leaveChainListing(db, row);
  }
}
