import { type Asset, assetKey } from '../../agents/assets.ts';
import type { TokenAsset } from '../../agents/certificates/certificates.ts';
import { type Address, sameAddress } from '../../agents/ids.ts';
import { type Name, nameKey } from '../../agents/names/name.ts';
import { heldNameTokens, nameTokensOf } from '../../chain/clients/name-tokens.ts';
import { noteNameToken } from '../../store/names/name-tokens.ts';
import { overChain } from '../determinations/public.ts';
import { HOME_CHAIN, type Services } from '../services.ts';

/**
 * The asset that stands for a name on chain: a provider's own token if there is one, otherwise a certificate. Under a
 * top-level domain whose contract is configured nothing else counts; elsewhere a provider's token counts where somebody
 * has it. Of two providers, the one whose token the seller holds.
 * @param holders who may hold it for the seller
 * @throws AppError unavailable where the chain does not answer
 */
export async function nameAsset(
  { config, home }: Pick<Services, 'config' | 'home'>,
  name: Name,
  holders: readonly Address[],
): Promise<Asset> {
  const { configured, offered } = nameTokensOf(home.deployment, config.nameTokens, name);
  if (configured !== null) return configured;
  const registered = await overChain(HOME_CHAIN, async () => {
    const reader = home.readers.viem;
    const { number } = await reader.head();
    return await heldNameTokens(reader, offered, number);
  });
  const held = registered.find(({ holder }) => holders.some((one) => sameAddress(one, holder)));
  return (held ?? registered[0])?.token ?? { kind: 'serial', serialKind: 'name', serial: name.name };
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
