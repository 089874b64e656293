import { noteCertificate } from '../certificates/certificates.ts';
import type { Trx } from '../database.ts';
import { adoptPledges } from '../market/pledges.ts';

/**
 * Keeps which name a provider's token stands for. What was pledged by the token is pledged of the name from then on,
 * whatever becomes of the listing for which this is kept.
 */
export async function noteNameToken(
  trx: Trx,
  note: { readonly tokenKey: string; readonly assetKey: string },
): Promise<void> {
  await adoptPledges(trx, note);
  await noteCertificate(trx, note);
}
