import { type Asset, assetKey } from '../../agents/assets.ts';
import type { SerialAsset, TokenAsset } from '../../agents/certificates/certificates.ts';
import { AppError } from '../../agents/errors.ts';
import { vagueKeys } from '../../agents/goods/aliases.ts';
import type { Address } from '../../agents/ids.ts';
import { certificateOf, certifiedAs, issueCertificate } from '../../chain/clients/certificates.ts';
import { placeMetadata } from '../../chain/deploy/metadata-base.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { noteCertificate } from '../../store/certificates/certificates.ts';
import { takeDaily } from '../daily-budget.ts';
import { certificateAsset, gatherRegister, overChain } from '../determinations/public.ts';
import { holdsRole, roleRests } from '../keys/own-roles.ts';
import type { Services } from '../services.ts';

export interface Certificate {
  readonly token: TokenAsset;
  /** False while the certificate is not issued and only its token id is known. */
  readonly issued: boolean;
}

/** The live certificate of a serial, or the one that it would get next. @throws AppError unavailable */
export async function findCertificate({ db, home }: Services, serial: SerialAsset): Promise<Certificate> {
  const key = assetKey(serial);
  const { live, next } = await overChain(home.chainId, async () => {
    const { number } = await home.readers.viem.head();
    return await certificateOf(home.readers.viem, home.deployment, key, number);
  });
  const token = certificateAsset(home, live ?? next);
  if (live !== null) await noteCertificate(db, { tokenKey: assetKey(token), assetKey: key });
  return { token, issued: live !== null };
}

/**
 * Issues the certificate of a serial on its owner's signed statement. A repeated request, after its answer was lost,
 * finds the existing certificate: a serial has one, and the contract refuses a second.
 * @param owner whose budget it is taken from: a certificate costs its owner nothing, and the operator gas
 * @param agent the token whose budget it is taken from as well, as a wallet costs nothing, and an agent can be handed on
 * @param approve lets the settlement contract take the token from the owner's own wallet, for the sale that is being
 *   listed
 * @throws AppError unavailable when the chain did not answer: nothing was listed, and the request may be sent again;
 *   rate-limited with `retryAfter` seconds when the owner's or the agent's certificates of a day are used up
 */
export async function certify(
  services: Services,
  serial: SerialAsset,
  {
    owner,
    agent,
    ...holder
  }: { readonly owner: Address; readonly agent: bigint; readonly to: Address; readonly approve: boolean },
): Promise<TokenAsset> {
  const { operator, deployment } = services.home;
  const key = assetKey(serial);
  const limit = services.config.certificatesADay;
  const giveBack = await takeDaily(services, {
    ...{ purpose: 'certificate', subjects: [owner, `agent ${agent}`], limit },
    ...{
      says: `An owner and an agent have ${limit} certificates a day`,
      instead: ', or list what has one already',
    },
  });
  try {
    await placeMetadata(operator, deployment.certificates, `${services.config.baseUrl}/certificates/`);
    await issueCertificate(operator, deployment, { ...holder, serial: key });
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    // Refused before it was sent, it cost no gas. What may have been sent counts.
    if (error.kind === 'down' || (error.kind === 'reverted' && error.hash === undefined)) await giveBack();
    // Another request was first. The caller checks who holds the certificate, as it does for any.
    const live = certifiedAs(error);
    if (live !== null) return certificateAsset(services.home, live);
    services.log.warn({ serial: key, error: error.message }, 'a certificate was not issued');
    await requireIssuer(services, key, error);
    throw new AppError(
      'unavailable',
      `The chain did not confirm the certificate of ${key}: send the same request again.`,
      { cause: error },
    );
  }
  services.crash('after-certificate-before-listing');
  const { token, issued } = await findCertificate(services, serial);
  if (issued) return token;
  throw new AppError(
    'unavailable',
    `The certificate of ${key} cannot be read yet: send the same request again.`,
  );
}

/**
 * Tells a certificate that is refused because the role rests from one that may be asked for again at once. Where the chain
 * does not say who is issuer, it is taken for the latter.
 * @throws AppError unavailable
 */
async function requireIssuer({ home, log }: Services, serial: string, cause: ChainError): Promise<void> {
  if (cause.kind !== 'reverted' || (await holdsRole(home, 'issuer').catch(() => true))) return;
  log.warn({ role: 'issuer', chainId: home.chainId }, roleRests(home, 'issuer'));
  throw new AppError(
    'unavailable',
    `No certificate is issued now, as the service's key is not the issuer on chain ${home.chainId}: ${serial} was not listed, and may be once \`/health\` names no role.`,
    { cause },
  );
}

/** @throws AppError not-listed when the serial is on a register of stolen goods, in any spelling */
export async function refuseStolen(services: Services, lot: SerialAsset, spelled: Asset): Promise<void> {
  const keys = [assetKey(lot), assetKey(spelled), ...vagueKeys(lot)];
  const { hits } = await gatherRegister(services.db, 'stolen', keys);
  const [hit] = hits;
  if (hit === undefined) return;
  throw new AppError('not-listed', `${hit.key} stands on the register of stolen goods ${hit.list}.`, {
    extra: { asset: assetKey(lot), register: hit.list },
  });
}
