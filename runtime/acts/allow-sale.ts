import { type Asset, assetKey } from '../../agents/assets.ts';
import type { SerialAsset, TokenAsset } from '../../agents/certificates.ts';
import { AppError } from '../../agents/errors.ts';
import type { Address } from '../../agents/ids.ts';
import { isListed, listByMessage, listingLine, type SignedText } from '../../chain/asset-listings.ts';
import { ChainError } from '../../chain/chain-error.ts';
import { beginChainListing } from '../../store/chain-listings.ts';
import { lotOf, overChain } from '../evidence/lots.ts';
import { HOME_CHAIN, type Services } from '../services.ts';
import { findCertificate } from './certify.ts';
import type { LiveAgent } from './live-agent.ts';

/** What an owner is asked to sign before an asset is listed. */
export interface ListingWords {
  readonly statement: string;
  /** What else the text names, as URIs. */
  readonly resources: readonly string[];
}

/** The signed words may be put on chain this long after they were given out. */
const USABLE_MS = 60 * 60_000;

/**
 * The words by which the owner lets the agent sell this asset, once. The policy on chain builds the same line and
 * refuses every sale without it, so that the runtime's key alone sells nothing.
 * @throws AppError unavailable when the chain cannot say which certificate stands for a serial
 */
export async function listingWords(
  services: Services,
  { agent, chain }: LiveAgent,
  asset: Asset,
): Promise<ListingWords> {
  const lot = await lotOf(services.evidence, asset);
  const serial = lot.serial as SerialAsset | null;
  const token =
    asset.kind === 'token' ? asset : (await findCertificate(services, serial as SerialAsset)).token;
  if (token.chainId !== HOME_CHAIN) {
    return { statement: `List ${assetKey(token)} for agent ${agent.handle}`, resources: [] };
  }
  const deadline = Math.floor((services.now().getTime() + USABLE_MS) / 1000);
  const listing = { ...ofAgent(agent.token_id, token), epoch: chain.epoch, deadline };
  return {
    statement: listingLine(services.home.deployment, listing),
    // Of a real-world thing no chain proves anything: its owner's word is what the certificate stands on.
    resources:
      serial === null ? [] : [`urn:${encodeURI(assetKey(serial))}`, 'urn:words:i-have-it-and-may-sell-it'],
  };
}

/**
 * Puts the owner's signed words on chain, unless the asset is listed there already. Sent again after a lost answer it
 * finds the listing that stands. It is written down first: what no listing here comes to need is taken back.
 * @throws AppError conflict while that is under way, AppError not-listed when the policy does not take the words, unavailable when the chain does not answer
 */
export async function allowSale(
  services: Services,
  { agent }: LiveAgent,
  { token, lot }: { readonly token: TokenAsset; readonly lot: string },
  words: SignedText,
): Promise<void> {
  const { operator, deployment, readers } = services.home;
  const listing = { handle: agent.handle, tokenKey: assetKey(token), lot };
  if (!(await beginChainListing(services.db, listing, services.now()))) {
    throw new AppError(
      'conflict',
      `${assetKey(token)} is being taken off the chain after its last listing: try again in a moment.`,
    );
  }
  const wanted = ofAgent(agent.token_id, token);
  const stands = await overChain(HOME_CHAIN, async () => {
    const { number } = await readers.viem.head();
    return await isListed(readers.viem, deployment, wanted, number);
  });
  if (stands) return;
  try {
    const listed = await listByMessage(operator, deployment, words);
    const same = listed?.asset === wanted.asset && listed.tokenId === wanted.tokenId;
    if (same && listed.agentId === wanted.agentId) return;
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    services.log.warn({ asset: assetKey(token), error: error.message }, 'a listing was not put on chain');
    if (error.kind !== 'reverted') {
      throw new AppError(
        'unavailable',
        `The chain did not confirm the listing of ${assetKey(token)}: send the request again.`,
        { cause: error },
      );
    }
  }
  throw new AppError(
    'not-listed',
    `The policy on chain does not take this signature as the owner's word to sell ${assetKey(token)}: ask for a new message to sign. A contract wallet must be deployed first.`,
  );
}

function ofAgent(agentId: bigint | string, token: TokenAsset) {
  return {
    agentId: BigInt(agentId),
    asset: token.contract.toLowerCase() as Address,
    tokenId: BigInt(token.tokenId),
  };
}
