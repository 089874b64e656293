import type { Asset } from '../../../agents/assets.ts';
import { sameAddress } from '../../../agents/ids.ts';
import { agentByToken } from '../../../store/agent/agents.ts';
import type { Services } from '../../services.ts';

/**
 * Why a thing may not be sold though its seller holds it: it is an agent that its owner retired or the operator suspended,
 * and no mandate of its buyer would wake it. Null for everything else.
 */
export async function whyNoUse(
  { db, home }: Pick<Services, 'db' | 'home'>,
  asset: Asset,
): Promise<string | null> {
  const { agentNft } = home.deployment;
  if (asset.kind !== 'token' || asset.chainId !== home.chainId || !sameAddress(asset.contract, agentNft))
    return null;
  const collection = { chainId: home.chainId, contract: agentNft.toLowerCase() };
  const agent = await agentByToken(db, { ...collection, tokenId: BigInt(asset.tokenId) });
  if (agent?.status !== 'retired' && agent?.status !== 'suspended') return null;
  return `is the agent "${agent.handle}", which is ${agent.status}`;
}
