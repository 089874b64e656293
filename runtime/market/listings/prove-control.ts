import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import { sameAddress } from '../../../agents/ids.ts';
import { readAgentOwner, readAgentState } from '../../../chain/clients/agents.ts';
import { isListed } from '../../../chain/clients/asset-listings.ts';
import { isApprovedForSettlement, readAssetOwner } from '../../../chain/clients/assets.ts';
import { isVoidCertificate } from '../../../chain/clients/certificates.ts';
import { ReaderError } from '../../../chain/rpc/reader.ts';
import type { AgentRow } from '../../../store/agent/agents.ts';
import { disputeInTheWay } from '../../../store/certificates/disputes.ts';
import type { ListingRow } from '../../../store/market/listings.ts';
import { isBlockBefore } from '../../chain-sync/public.ts';
import type { Services } from '../../services.ts';
import { whyBoundElsewhere, whyNoUse } from './agent-for-sale.ts';

/** The asset has left its seller, or its owner revoked the permission to sell it. */
export class AssetLeft extends Error {
  override readonly name = 'AssetLeft';
  readonly lot: string;
  constructor(lot: string, why: string) {
    super(`${lot} ${why}: it is listed no longer.`);
    this.lot = lot;
  }
}

/**
 * Whether a listed asset is in the agent's account (deposit), or with the agent's owner (owner-signed), at a block.
 * Nobody can sell a certificate that its issuer has marked void.
 * @throws ReaderError
 */
export async function isWithSeller(
  { home }: Pick<Services, 'home'>,
  listing: Pick<ListingRow, 'asset' | 'gate'>,
  agent: Pick<AgentRow, 'token_id' | 'account'>,
  block: bigint,
): Promise<boolean> {
  const reader = home.readers.viem;
  const token = tokenOf(listing);
  const isCertificate = sameAddress(token.contract, home.deployment.certificates);
  const [holder, isVoid, wanted] = await Promise.all([
    readAssetOwner(reader, token.contract, BigInt(token.tokenId), block),
    isCertificate && isVoidCertificate(reader, home.deployment, BigInt(token.tokenId), block),
    listing.gate === 'deposit'
      ? agent.account
      : readAgentOwner(reader, home.deployment, agent.token_id, block),
  ]);
  return !isVoid && holder !== null && sameAddress(holder, wanted);
}

/** The token that settles the listing: for a serial, its certificate. */
function tokenOf({ asset }: Pick<ListingRow, 'asset'>): TokenAsset {
  if (asset.kind !== 'token') throw new Error('a listing whose asset is no token');
  return asset;
}

/**
 * Whether what is listed is still its seller's to sell, as the chain has it at a block: with the agent's account
 * (deposit) or with the agent's owner, who has approved the settlement for it (owner-signed), and listed by the present
 * owner's word. A certificate that a dispute holds is not, nor is an agent that has ended or is bound elsewhere.
 * @throws ReaderError: then nobody knows
 */
export async function whyNotControlled(
  services: Pick<Services, 'home' | 'db' | 'now'>,
  listing: Pick<ListingRow, 'asset_key' | 'asset' | 'gate' | 'quoted_state' | 'listed_at'>,
  agent: Pick<AgentRow, 'token_id' | 'account'>,
  block: bigint,
): Promise<string | null> {
  const { readers, deployment } = services.home;
  const asset = tokenOf(listing);
  const { contract, tokenId } = asset;
  const sale = { agentId: agent.token_id, asset: contract, tokenId: BigInt(tokenId) };
  const token = { contract, tokenId: sale.tokenId };
  const [disputed, useless, withSeller, approved, words, asQuoted, elsewhere] = await Promise.all([
    disputeInTheWay(services.db, listing.asset_key, services.now()),
    whyNoUse(services, asset),
    isWithSeller(services, listing, agent, block),
    listing.gate === 'deposit' || isApprovedForSettlement(readers.viem, deployment, token, block),
    isListed(readers.viem, deployment, sale, block),
    isAsQuoted(services, listing, block),
    whyBoundElsewhere(services, asset, block),
  ]);
  if (disputed !== null) return 'is held by a dispute';
  if (useless !== null) return useless;
  if (withSeller && approved && words && asQuoted && elsewhere === null) return null;
  // It was its seller's to sell when it was listed: who knows only of before knows nothing of what came after.
  if (await isBlockBefore(readers.viem, block, listing.listed_at))
    throw new ReaderError(
      'down',
      `the newest block of the node is from before ${listing.asset_key} was listed`,
    );
  if (!withSeller) return 'has left its seller';
  if (!approved) return 'is not approved for the settlement any more';
  if (elsewhere !== null) return elsewhere;
  if (!words) return 'is not listed on chain by its owner any more';
  return 'is not what it was when it was listed';
}

/** Whether an agent that is for sale still holds everything that it held when it was listed. @throws ReaderError */
async function isAsQuoted(
  { home }: Pick<Services, 'home'>,
  { asset, quoted_state }: Pick<ListingRow, 'asset' | 'quoted_state'>,
  block: bigint,
): Promise<boolean> {
  if (quoted_state === null) return true;
  const { tokenId } = tokenOf({ asset });
  try {
    const state = await readAgentState(home.readers.viem, home.deployment, BigInt(tokenId), block);
    return state === BigInt(quoted_state);
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return false;
    throw error;
  }
}

/** @throws AssetLeft, ReaderError */
export async function requireControlled(
  services: Pick<Services, 'home' | 'db' | 'now'>,
  listing: ListingRow,
  agent: AgentRow,
  block: bigint,
): Promise<void> {
  const why = await whyNotControlled(services, listing, agent, block);
  if (why !== null) throw new AssetLeft(listing.asset_key, why);
}
