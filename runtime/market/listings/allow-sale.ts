import { type Asset, assetKey } from '../../../agents/assets.ts';
import type { SerialAsset, TokenAsset } from '../../../agents/certificates/certificates.ts';
import { AppError } from '../../../agents/errors.ts';
import type { Address } from '../../../agents/ids.ts';
import { listingMinimum } from '../../../agents/market/listing-minimum.ts';
import type { Micro } from '../../../agents/money.ts';
import { wordsUri } from '../../../agents/signed-text.ts';
import {
  listByMessage,
  listingLine,
  readOffer,
  type SignedText,
} from '../../../chain/clients/asset-listings.ts';
import { ChainError } from '../../../chain/rpc/chain-error.ts';
import { beginChainListing } from '../../../store/market/chain-listings.ts';
import type { LiveAgent } from '../../agent/public.ts';
import { findCertificate } from '../../certificates/public.ts';
import { lotOf, overChain } from '../../determinations/public.ts';
import { relayOf } from '../../payments/public.ts';
import { HOME_CHAIN, type Services } from '../../services.ts';

/** What an owner is asked to sign before an asset is listed. */
export interface ListingWords {
  /** @param issuedAt when the text is issued; it can be used for an hour from then */
  readonly statement: string | ((issuedAt: Date) => string);
  /** The same in a sentence for people, with the ask, which the line that the chain checks cannot contain. */
  readonly says: string;
  /** The resources of the text, as URIs, among them the sentence for people. */
  readonly resources: readonly string[];
}

/** The signed text may be put on chain for this long after it was issued. */
const USABLE_MS = 60 * 60_000;

/**
 * The text by which the owner allows the agent to sell this asset, once, for at least half of its ask. The policy on
 * chain builds the same line and refuses every sale without it, so that the runtime's key alone cannot sell anything.
 * @param says the listing in a sentence, which becomes public with the text
 * @throws AppError unavailable when the chain cannot say which certificate stands for a serial
 */
export async function listingWords(
  services: Services,
  { agent, chain }: LiveAgent,
  { asset, ask }: { readonly asset: Asset; readonly ask: Micro },
  says: string,
): Promise<ListingWords> {
  const lot = await lotOf(services.evidence, asset);
  const serial = lot.serial as SerialAsset | null;
  const token =
    asset.kind === 'token' ? asset : (await findCertificate(services, serial as SerialAsset)).token;
  if (token.chainId !== HOME_CHAIN) {
    return { statement: says, says, resources: [] };
  }
  const wanted = ofAgent(agent.token_id, token);
  const { readers, deployment } = services.home;
  const { change } = await overChain(HOME_CHAIN, async () => {
    const { number } = await readers.viem.head();
    return await readOffer(readers.viem, deployment, wanted, number);
  });
  const listing = { ...wanted, minPrice: listingMinimum(ask), change, epoch: chain.epoch };
  return {
    statement: (issuedAt) => {
      const deadline = Math.floor((issuedAt.getTime() + USABLE_MS) / 1000);
      return listingLine(deployment, { ...listing, deadline });
    },
    says,
    resources: [
      wordsUri(says),
      // No chain proves anything about a real-world thing, so the certificate is based on its owner's word.
      ...(serial === null
        ? []
        : [`urn:${encodeURI(assetKey(serial))}`, 'urn:words:i-have-it-and-may-sell-it']),
    ],
  };
}

/**
 * Puts the owner's signed text on chain, unless the asset is already listed there. Sent again after a lost answer, it
 * finds the existing listing. It first writes down that it does so, so that a chain listing that no listing here uses
 * is removed later.
 * @throws AppError conflict while that is in progress, not-listed when the policy refuses the text, unavailable when
 *   the chain does not answer
 */
export async function allowSale(
  services: Services,
  { agent }: LiveAgent,
  { token, lot, ask }: { readonly token: TokenAsset; readonly lot: string; readonly ask: Micro },
  words: SignedText,
): Promise<void> {
  const { deployment, readers } = services.home;
  const listing = { handle: agent.handle, tokenKey: assetKey(token), lot };
  if (!(await beginChainListing(services.db, listing, services.now()))) {
    throw new AppError(
      'conflict',
      `${assetKey(token)} is being taken off the chain after its last listing: try again in a moment.`,
    );
  }
  const wanted = ofAgent(agent.token_id, token);
  const minPrice = listingMinimum(ask);
  const offer = await overChain(HOME_CHAIN, async () => {
    const { number } = await readers.viem.head();
    return await readOffer(readers.viem, deployment, wanted, number);
  });
  if (offer.minPrice === minPrice) return;
  try {
    const listed = await overChain(HOME_CHAIN, () => listByMessage(relayOf(services), words));
    const same = listed?.asset === wanted.asset && listed.tokenId === wanted.tokenId;
    if (same && listed.agentId === wanted.agentId && listed.minPrice === minPrice) return;
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
