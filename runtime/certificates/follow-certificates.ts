import { assetKey } from '../../agents/assets.ts';
import { readCertificate } from '../../chain/clients/certificates.ts';
import { movedCertificates } from '../../chain/indexer/certificate-history.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { moveCursor, noteCertificate, readCursor } from '../../store/certificates/certificates.ts';
import { standingListingOf } from '../../store/market/listings.ts';
import { dropLot } from '../../store/market/withdrawals.ts';
import { firstBlockToRead } from '../chain-sync/public.ts';
import { certificateAsset } from '../determinations/public.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import { isWithSeller } from '../market/public.ts';
import type { Services } from '../services.ts';

const CURSOR = 'certificates';

/**
 * Takes lots off the market whose certificates have left their seller, in whatever way: by a transaction on chain, by
 * the sale of the agent, or because they ended. Reading a block twice changes nothing.
 * @returns how many lots left
 * @throws ReaderError
 */
export async function followCertificates(services: Services): Promise<number> {
  const { db, home } = services;
  const { number: head } = await home.readers.viem.head();
  const read = await readCursor(db, CURSOR);
  const start = BigInt(home.deployment.deployedAtBlock);
  const { moved, upTo } =
    read === head
      ? { moved: [], upTo: head }
      : await movedCertificates(
          home.readers.viem,
          home.deployment,
          firstBlockToRead({ read, head, start }),
          head,
        );
  const looked = await eachIsolated(
    services.quarantine,
    'certificate',
    moved.map((tokenId) => ({ id: tokenId.toString() })),
    ({ id }) => dropIfLeft(services, BigInt(id)),
    { alive: () => home.readers.viem.head() },
  );
  if (read !== head) await moveCursor(db, CURSOR, upTo);
  return looked.done.filter(Boolean).length;
}

/** @throws ReaderError when the holder cannot be read */
async function dropIfLeft(services: Services, tokenId: bigint): Promise<boolean> {
  const { db, home } = services;
  // Read at the newest block, because the lot may have been listed again after the block with the move.
  const { number: block } = await home.readers.viem.head();
  const certificate = await readCertificate(home.readers.viem, home.deployment, tokenId, block);
  if (certificate === null) return false;
  const token = certificateAsset(home, tokenId);
  await noteCertificate(db, { tokenKey: assetKey(token), assetKey: certificate.serial });
  const listing = await standingListingOf(db, certificate.serial);
  if (!listing || (listing.asset as { tokenId?: string }).tokenId !== token.tokenId) return false;
  const agent = await findAgent(db, listing.handle);
  if (agent && (await isWithSeller(services, listing, agent, block))) return false;
  return (await db.transaction().execute((trx) => dropLot(trx, listing.asset_key, services.now()))) !== null;
}
