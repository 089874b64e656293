import { assetKey } from '../../agents/assets.ts';
import { sameAddress } from '../../agents/ids.ts';
import { readAgentOnChain } from '../../chain/agents.ts';
import { movedCertificates } from '../../chain/certificate-history.ts';
import { readCertificate } from '../../chain/certificates.ts';
import { findAgent } from '../../store/agents.ts';
import { moveCursor, noteCertificate, readCursor } from '../../store/certificates.ts';
import { type ListingRow, liveListingOf } from '../../store/listings.ts';
import { dropLot } from '../../store/withdrawals.ts';
import { certificateAsset } from '../evidence/lots.ts';
import type { Services } from '../services.ts';

const CURSOR = 'certificates';
/** Read again each time: a reorganisation may have put other moves into blocks that were read. */
const AGAIN = 16n;

/**
 * Takes lots off the market whose certificates have left their seller by whatever way: another's transaction on chain,
 * a sale of the agent, an end. What was read twice changes nothing.
 * @returns how many lots left
 * @throws ReaderError
 */
export async function followCertificates(services: Services): Promise<number> {
  const { db, home } = services;
  const { number: head } = await home.readers.viem.head();
  const start = BigInt(home.deployment.deployedAtBlock);
  const read = await readCursor(db, CURSOR);
  // A chain that is shorter than what was read is another chain: from its start.
  const from = read === null || read > head ? start : read - AGAIN > start ? read - AGAIN : start;
  if (read === head) return 0;
  const { moved, upTo } = await movedCertificates(home.readers.viem, home.deployment, from, head);
  let left = 0;
  for (const tokenId of moved) {
    const certificate = await readCertificate(home.readers.viem, home.deployment, tokenId, head);
    if (certificate === null) continue;
    const token = certificateAsset(home, tokenId);
    await noteCertificate(db, { tokenKey: assetKey(token), assetKey: certificate.serial });
    const listing = await liveListingOf(db, certificate.serial);
    if (!listing || (listing.asset as { tokenId?: string }).tokenId !== token.tokenId) continue;
    if (await isWithSeller(services, listing, tokenId)) continue;
    const done = await db.transaction().execute((trx) => dropLot(trx, listing.asset_key, services.now()));
    if (done !== null) left += 1;
  }
  await moveCursor(db, CURSOR, upTo);
  return left;
}

/** Not as of the block whose moves were read: the lot may have been listed since, by what a later one says. */
async function isWithSeller({ db, home }: Services, listing: ListingRow, tokenId: bigint): Promise<boolean> {
  const agent = await findAgent(db, listing.handle);
  if (!agent) return false;
  const { number: block } = await home.readers.viem.head();
  const certificate = await readCertificate(home.readers.viem, home.deployment, tokenId, block);
  const holder = certificate?.holder ?? null;
  if (holder === null) return false;
  if (listing.gate === 'deposit') return sameAddress(holder, agent.account);
  const { owner } = await readAgentOnChain(home.readers.viem, home.deployment, agent.token_id, block);
  return sameAddress(holder, owner);
}
