import { parseAssetKey } from '../../agents/assets.ts';
import type { TokenAsset } from '../../agents/certificates.ts';
import { isListed, setListed } from '../../chain/asset-listings.ts';
import { ChainError } from '../../chain/chain-error.ts';
import { forgetChainListing, leaveChainListing, takeChainListings } from '../../store/chain-listings.ts';
import type { Services } from '../services.ts';

const AT_ONCE = 50;

/**
 * Takes off the chain what owners' words put there for sale and no listing here needs any more: a cancelled or expired
 * one, one that never came about, one whose sale the chain took back. Until then the runtime's key could still sell it.
 * Only the guardian may; where that is another's key, the owner alone can, and the log says so.
 * @returns how many were taken off
 * @throws ReaderError, ChainError when the chain does not answer: the next round goes on
 */
export async function takeBackListings(services: Services): Promise<number> {
  const { db, home, log } = services;
  const { operator, deployment, readers } = home;
  let taken = 0;
  for (const row of await takeChainListings(db, services.now(), AT_ONCE)) {
    const token = parseAssetKey(row.token_key) as TokenAsset;
    const listing = { agentId: row.token_id, asset: token.contract, tokenId: BigInt(token.tokenId) };
    try {
      const { number: block } = await readers.viem.head();
      if (await isListed(readers.viem, deployment, listing, block)) {
        await setListed(operator, deployment, listing, false);
        taken += 1;
      }
    } catch (error) {
      if (!(error instanceof ChainError) || error.kind !== 'reverted') {
        await leaveChainListing(db, row);
        throw error;
      }
      log.warn(
        { handle: row.handle, asset: row.token_key, error: error.message },
        'a listing that is over stays on chain: its owner must take it back',
      );
    }
    await forgetChainListing(db, row);
  }
  return taken;
}
