import { assetKey } from '../../agents/assets.ts';
import type { TokenAsset } from '../../agents/certificates.ts';
import { sameAddress } from '../../agents/ids.ts';
import { readAgentOwner } from '../../chain/agents.ts';
import { isListed } from '../../chain/asset-listings.ts';
import { readAssetOwner } from '../../chain/assets.ts';
import type { AgentRow } from '../../store/agents.ts';
import type { ListingRow } from '../../store/listings.ts';
import type { Services } from '../services.ts';

/** The thing is not with its seller any more, or its owner took the word back that let it be sold. */
export class AssetLeft extends Error {
  override readonly name = 'AssetLeft';
  readonly lot: string;
  constructor(lot: string, why: string) {
    super(`${lot} ${why}: it is listed no longer.`);
    this.lot = lot;
  }
}

/**
 * Whether what is listed is with the agent's account (deposit), or with the agent's owner (owner-signed), at a block.
 * @throws ReaderError
 */
export async function isWithSeller(
  { home }: Pick<Services, 'home'>,
  listing: Pick<ListingRow, 'asset' | 'gate'>,
  agent: Pick<AgentRow, 'token_id' | 'account'>,
  block: bigint,
): Promise<boolean> {
  const reader = home.readers.viem;
  const token = listing.asset as unknown as TokenAsset;
  const [holder, wanted] = await Promise.all([
    readAssetOwner(reader, token.contract, BigInt(token.tokenId), block),
    listing.gate === 'deposit'
      ? agent.account
      : readAgentOwner(reader, home.deployment, agent.token_id, block),
  ]);
  return holder !== null && sameAddress(holder, wanted);
}

/**
 * Whether what is listed is still its seller's to sell, as the chain has it at a block: with the agent's account
 * (deposit) or with the agent's owner (owner-signed), and listed by the present owner's word.
 * @throws ReaderError: then nobody knows
 */
export async function whyNotControlled(
  services: Pick<Services, 'home'>,
  listing: Pick<ListingRow, 'asset' | 'gate'>,
  agent: Pick<AgentRow, 'token_id' | 'account'>,
  block: bigint,
): Promise<string | null> {
  const { readers, deployment } = services.home;
  const { contract, tokenId } = listing.asset as unknown as TokenAsset;
  const sale = { agentId: agent.token_id, asset: contract, tokenId: BigInt(tokenId) };
  const [withSeller, words] = await Promise.all([
    isWithSeller(services, listing, agent, block),
    isListed(readers.viem, deployment, sale, block),
  ]);
  if (!withSeller) return 'has left its seller';
  return words ? null : 'is not listed on chain by its owner any more';
}

/** @throws AssetLeft, ReaderError */
export async function requireControlled(
  services: Pick<Services, 'home'>,
  listing: ListingRow,
  agent: AgentRow,
  block: bigint,
): Promise<void> {
  const why = await whyNotControlled(services, listing, agent, block);
  if (why !== null) throw new AssetLeft(listing.asset_key, why);
}

/** The key of the token that settles, whatever the lot is listed under. */
export function tokenKeyOf(listing: Pick<ListingRow, 'asset'>): string {
  return assetKey(listing.asset as unknown as TokenAsset);
}
