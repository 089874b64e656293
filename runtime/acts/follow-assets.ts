import { assetKey } from '../../agents/assets.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { assetMoves } from '../../chain/asset-moves.ts';
import { findAgent } from '../../store/agents.ts';
import { lotKeyOf, moveCursor, readCursor } from '../../store/certificates.ts';
import { listedCollections, liveListingOf } from '../../store/listings.ts';
import { dropLot } from '../../store/withdrawals.ts';
import { HOME_CHAIN, type Services } from '../services.ts';
import { firstBlockToRead } from './blocks-to-read.ts';
import { tokenKeyOf, whyNotControlled } from './prove-control.ts';

const CURSOR = 'assets';

/**
 * Takes lots off the market whose things have left their sellers, by whoever's transaction, or whose owners took the
 * word back on chain that let them be sold. What was read twice changes nothing; what is missed is found at the match.
 * @returns how many lots left
 * @throws ReaderError
 */
export async function followAssets(services: Services): Promise<number> {
  const { db, home } = services;
  const { number: head } = await home.readers.viem.head();
  const read = await readCursor(db, CURSOR);
  if (read === head) return 0;
  const fromBlock = firstBlockToRead({ read, head, start: BigInt(home.deployment.deployedAtBlock) });
  const collections = (await listedCollections(db)) as Address[];
  const { moves, upTo } = await assetMoves(home.readers.viem, home.deployment, collections, {
    fromBlock,
    head,
  });
  let left = 0;
  for (const { contract, tokenId } of moves) {
    const token = { kind: 'token', chainId: HOME_CHAIN, contract: lowerAddress(contract) } as const;
    const key = assetKey({ ...token, tokenId: tokenId.toString() });
    const listing = await liveListingOf(db, await lotKeyOf(db, key));
    if (!listing || tokenKeyOf(listing) !== key) continue;
    const agent = await findAgent(db, listing.handle);
    if (!agent) continue;
    // Not by the block whose moves were read: the lot may have been listed since, by what a later one says.
    const { number: block } = await home.readers.viem.head();
    const why = await whyNotControlled(services, listing, agent, block);
    if (why === null) continue;
    const done = await db.transaction().execute((trx) => dropLot(trx, listing.asset_key, services.now()));
    if (done === null) continue;
    services.log.info({ lot: listing.asset_key, why }, 'a lot left the market');
    left += 1;
  }
  await moveCursor(db, CURSOR, upTo);
  return left;
}
