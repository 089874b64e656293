import { assetKey } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import { AppError } from '../../../agents/errors.ts';
import { sameAddress } from '../../../agents/ids.ts';
import { isApprovedForSettlement, readAssetOwner } from '../../../chain/clients/assets.ts';
import type { LiveAgent } from '../../agent/public.ts';
import { overChain } from '../../determinations/public.ts';
import { HOME_CHAIN, type Services } from '../../services.ts';
import { whyBoundElsewhere, whyNoUse } from './agent-for-sale.ts';

/**
 * Deposit: the asset is in the agent's account. Owner-signed: it is with the agent's owner, whose signature over this
 * listing the caller has checked, and who lets the settlement contract take it: without that no deal could settle.
 * An agent that has ended is nobody's to sell, and one that is bound to another policy or settlement not here.
 * @throws AppError not-listed with the remedy, unavailable where the chain does not answer
 */
export async function requireControl(
  services: Services,
  live: LiveAgent,
  token: TokenAsset,
  gate: 'deposit' | 'owner-signed',
): Promise<void> {
  const { readers, deployment } = services.home;
  const useless = await whyNoUse(services, token);
  if (useless !== null) throw new AppError('not-listed', `${assetKey(token)} ${useless}.`);
  const asset = { contract: token.contract, tokenId: BigInt(token.tokenId) };
  const [holder, approved, elsewhere] = await overChain(HOME_CHAIN, async () => {
    const { number } = await readers.viem.head();
    return await Promise.all([
      readAssetOwner(readers.viem, asset.contract, asset.tokenId, number),
      gate === 'deposit' || isApprovedForSettlement(readers.viem, deployment, asset, number),
      whyBoundElsewhere(services, token, number),
    ]);
  });
  if (elsewhere !== null) throw new AppError('not-listed', `${assetKey(token)} ${elsewhere}.`);
  const wanted = gate === 'deposit' ? live.agent.account : live.chain.owner;
  if (holder === null || !sameAddress(holder, wanted)) {
    const remedy =
      gate === 'deposit'
        ? `Transfer it to the agent's account ${wanted} first.`
        : `It must be with the owner ${wanted}.`;
    throw new AppError('not-listed', `${assetKey(token)} is with ${holder ?? 'nobody'}. ${remedy}`);
  }
  if (!approved) {
    throw new AppError(
      'not-listed',
      `${assetKey(token)} is not approved for the settlement contract: call approve(${deployment.settlement}, ${token.tokenId}) on ${token.contract} first, or deposit it.`,
    );
  }
}
