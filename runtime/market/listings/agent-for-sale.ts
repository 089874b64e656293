import type { Asset } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import { badField } from '../../../agents/errors.ts';
import { sameAddress } from '../../../agents/ids.ts';
import { boundElsewhere } from '../../../chain/clients/agent-binding.ts';
import { type AgentRow, agentByToken } from '../../../store/agent/agents.ts';
import type { Services } from '../../services.ts';

/**
 * Why a thing may not be sold though its seller holds it: it is an agent that its owner retired or the operator suspended,
 * and no mandate of its buyer would wake it. Null for everything else.
 */
export async function whyNoUse(
  { db, home }: Pick<Services, 'db' | 'home'>,
  asset: Asset,
): Promise<string | null> {
  if (!isAgent(home, asset)) return null;
  const collection = { chainId: home.chainId, contract: home.deployment.agentNft.toLowerCase() };
  const agent = await agentByToken(db, { ...collection, tokenId: BigInt(asset.tokenId) });
  if (agent?.status !== 'retired' && agent?.status !== 'suspended') return null;
  return `is the agent "${agent.handle}", which is ${agent.status}`;
}

/**
 * Listing an agent pauses it, and what a paused agent sells is off the book: by itself it would be off it at once.
 * @throws AppError bad-request where an agent is to list itself
 */
export function refuseItself(
  agent: Pick<AgentRow, 'chain_id' | 'contract' | 'token_id'>,
  asset: Asset,
): void {
  if (asset.kind !== 'token' || asset.chainId !== agent.chain_id) return;
  if (!sameAddress(asset.contract, agent.contract) || BigInt(asset.tokenId) !== agent.token_id) return;
  throw badField(
    'asset',
    'is the agent that would sell it, and listing it pauses it: list it by another agent of yours',
  );
}

/**
 * Why an agent is not sold here though its seller holds it: its owner has bound it to another policy, which alone is told of
 * the sale and whose keys nobody here knows, or to another settlement, from which it takes its deals. The service works
 * with one of each. Null for everything else. @throws ReaderError
 */
export async function whyBoundElsewhere(
  { home }: Pick<Services, 'home'>,
  asset: Asset,
  block: bigint,
): Promise<string | null> {
  if (!isAgent(home, asset)) return null;
  const { readers, deployment } = home;
  const bound = await boundElsewhere(readers.viem, deployment, BigInt(asset.tokenId), block);
  if (bound === null) return null;
  const remedy =
    bound.kind === 'policy'
      ? 'it can be sold only where that one is served, for no agent comes back to a policy'
      : `its owner binds it back first: bindSettlement(${asset.tokenId}, ${deployment.settlement}) of ${deployment.policy}`;
  return `is bound to another ${bound.kind} than this service's (${bound.to}): ${remedy}`;
}

function isAgent(home: Services['home'], asset: Asset): asset is TokenAsset {
  return (
    asset.kind === 'token' &&
    asset.chainId === home.chainId &&
    sameAddress(asset.contract, home.deployment.agentNft)
  );
}
