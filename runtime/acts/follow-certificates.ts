import { assetKey } from '../../agents/assets.ts';
import { movedCertificates } from '../../chain/certificate-history.ts';
import { readCertificate } from '../../chain/certificates.ts';
import { findAgent } from '../../store/agents.ts';
import { moveCursor, noteCertificate, readCursor } from '../../store/certificates.ts';
import { liveListingOf } from '../../store/listings.ts';
import { dropLot } from '../../store/withdrawals.ts';
import { certificateAsset } from '../evidence/lots.ts';
import type { Services } from '../services.ts';
import { firstBlockToRead } from './blocks-to-read.ts';
import { isWithSeller } from './prove-control.ts';

const CURSOR = 'certificates';

/**
 * Takes lots off the market whose certificates have left their seller by whatever way: another's transaction on chain,
 * a sale of the agent, an end. What was read twice changes nothing.
 * @returns how many lots left
 * @throws ReaderError
 */
export async function followCertificates(services: Services): Promise<number> {
  const { db, home } = services;
  const { number: head } = await home.readers.viem.head();
  const read = await readCursor(db, CURSOR);
  if (read === head) return 0;
  const from = firstBlockToRead({ read, head, start: BigInt(home.deployment.deployedAtBlock) });
  const { moved, upTo } = await movedCertificates(home.readers.viem, home.deployment, from, head);
  let left = 0;
  for (const tokenId of moved) {
    const certificate = await readCertificate(home.readers.viem, home.deployment, tokenId, head);
    if (certificate === null) continue;
    const token = certificateAsset(home, tokenId);
    await noteCertificate(db, { tokenKey: assetKey(token), assetKey: certificate.serial });
    const listing = await liveListingOf(db, certificate.serial);
    if (!listing || (listing.asset as { tokenId?: string }).tokenId !== token.tokenId) continue;
    const agent = await findAgent(db, listing.handle);
    // Not by the block whose moves were read: the lot may have been listed since, by what a later one says.
    const { number: block } = await home.readers.viem.head();
    if (agent && (await isWithSeller(services, listing, agent, block))) continue;
    const done = await db.transaction().execute((trx) => dropLot(trx, listing.asset_key, services.now()));
    if (done !== null) left += 1;
  }
  await moveCursor(db, CURSOR, upTo);
  return left;
}
