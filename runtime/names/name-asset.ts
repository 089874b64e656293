import { type Asset, assetKey } from '../../agents/assets.ts';
import type { TokenAsset } from '../../agents/certificates/certificates.ts';
import { type Name, nameKey } from '../../agents/names/name.ts';
import { nameTokenHeld, nameTokensOf } from '../../chain/clients/name-tokens.ts';
import { noteNameToken } from '../../store/names/name-tokens.ts';
import { overChain } from '../determinations/public.ts';
import { HOME_CHAIN, type Services } from '../services.ts';

/**
 * The asset that stands for a name on chain: a provider's own token if there is one, otherwise a certificate. Under a
 * top-level domain whose contract is configured nothing else counts; elsewhere the token of the first provider by which
 * somebody has the name, whoever that is.
 * @throws AppError unavailable where the chain does not answer
 */
export async function nameAsset(
  { config, home }: Pick<Services, 'config' | 'home'>,
  name: Name,
): Promise<Asset> {
  const { configured, offered } = nameTokensOf(home.deployment, config.nameTokens, name);
  if (configured !== null) return configured;
  const token = await overChain(HOME_CHAIN, async () => {
    const reader = home.readers.viem;
    const { number } = await reader.head();
    return await nameTokenHeld(reader, offered, number);
  });
  return token ?? { kind: 'serial', serialKind: 'name', serial: name.name };
}

/**
 * Notes that a provider's token stands for its name, as a certificate stands for its serial. So the name is one lot,
 * however it is spelled, and what was pledged by the token is pledged of the name.
 */
export async function keepNameToken(
  { db }: Pick<Services, 'db'>,
  name: Name,
  token: TokenAsset,
): Promise<void> {
  const note = { tokenKey: assetKey(token), assetKey: nameKey(name) };
  await db.transaction().execute((trx) => noteNameToken(trx, note));
}
