import { assetKey, parseAssetKey } from '../../agents/assets.ts';
import type { SerialAsset } from '../../agents/certificates/certificates.ts';
import { AppError } from '../../agents/errors.ts';
import { areTwoMakers } from '../../agents/goods/aliases.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { livingHolder } from '../../chain/clients/certificates.ts';
import { certificatesAlike, MOST_ALIKE } from '../../store/certificates/certificates.ts';
import { overChain } from '../determinations/public.ts';
import type { Services } from '../services.ts';

/** Each costs reads of the chain; one at a time may live, so that there are more only where they were ended. */
const MOST_READ = 50;

/**
 * Keeps a thing from being certified a second time under another spelling, by which it would be sold a second time. What
 * two makers say to have given one number may well be two things: that is left to the determinations.
 * @throws AppError not-listed naming the certificate that lives; unavailable where the chain does not answer
 */
export async function refuseCertifiedOtherwise({ db, home }: Services, serial: SerialAsset): Promise<void> {
  const key = assetKey(serial);
  const known = await certificatesAlike(db, home.deployment, key);
  const alike = known
    .map((one) => ({ ...one, as: parseAssetKey(one.on) }))
    .filter(({ as }) => !areTwoMakers(serial, as));
  if (alike.length > MOST_READ || known.length === MOST_ALIKE)
    throw new AppError(
      'not-listed',
      `What may be ${key} was certified more than ${MOST_READ} times under other spellings: it gets no certificate.`,
    );
  const holders = await overChain(home.chainId, async () => {
    if (alike.length === 0) return [];
    const { number } = await home.readers.viem.head();
    return await Promise.all(
      alike.map(({ tokenId }) => livingHolder(home.readers.viem, home.deployment, BigInt(tokenId), number)),
    );
  });
  const at = holders.findIndex((holder) => holder !== null);
  if (at === -1) return;
  const { tokenId, on } = alike[at]!;
  throw new AppError(
    'not-listed',
    `${key} may be what certificate ${tokenId} stands for, as ${on}, which is with ${holders[at]}: whoever holds that lists the thing by it.`,
    { extra: { asset: key, contract: lowerAddress(home.deployment.certificates), tokenId } },
  );
}
