import { type Asset, type AssetInput, assetKey, normaliseAsset } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { AppError, badField } from '../../agents/errors.ts';
import { lowerAddress, sameAddress } from '../../agents/ids.ts';
import { type Micro, parseUsd } from '../../agents/money.ts';
import { readAssetOwner } from '../../chain/assets.ts';
import { ReaderError } from '../../chain/readers/reader.ts';
import { insertListing, type ListingRow } from '../../store/listings.ts';
import { heldBy } from '../../store/reservations.ts';
import { deliver } from '../actors/mailbox.ts';
import { HOME_CHAIN, type LastCall, type Services } from '../services.ts';
import { judgeOrder } from './judge-order.ts';
import type { LiveAgent } from './live-agent.ts';

export interface ListingRequest {
  readonly asset: AssetInput;
  readonly description: string;
  readonly askUsd: number | string;
  readonly negotiable: boolean;
  readonly floorUsd?: number | string;
  readonly category: Category;
  readonly gate: 'deposit' | 'owner-signed';
}

/** A listing as its body states it, checked before anybody is asked to sign. Amounts in micro-dollars. */
export interface ListingTerms {
  readonly asset: Asset;
  readonly description: string;
  readonly ask: Micro;
  readonly floor: Micro | null;
  readonly negotiable: boolean;
  readonly category: Category;
  readonly gate: 'deposit' | 'owner-signed';
}

/** A seller's order ends with its listing, ninety days on at the latest. */
const LISTING_MS = 90 * 86_400_000;

/** @throws AppError bad-request naming the field */
export function readListing(request: ListingRequest): ListingTerms {
  const ask = parseUsd(request.askUsd, 'askUsd', 2);
  if (ask === 0n) throw badField('askUsd', 'must be more than nothing');
  const floor = request.floorUsd === undefined ? null : parseUsd(request.floorUsd, 'floorUsd', 2);
  if (floor !== null && !request.negotiable) {
    throw badField('floorUsd', 'belongs to a negotiable listing: leave it out, or set negotiable');
  }
  if (floor !== null && floor > ask) throw badField('floorUsd', 'must not be above askUsd');
  const description = request.description.trim();
  if (description === '') throw badField('description', 'must say what is for sale');
  if (floor === 0n) throw badField('floorUsd', 'must be more than nothing');
  return {
    asset: normaliseAsset(request.asset),
    description,
    ask,
    floor,
    negotiable: request.negotiable,
    category: request.category,
    gate: request.gate,
  };
}

/**
 * Lists an asset once control of it is proved on chain, with its pledge and its own sell order, or not at all.
 * @throws AppError not-listed (not controlled, or another chain), double-pledge, mandate-exceeded, agent-not-active,
 *   unavailable
 */
export async function listAsset(
  services: Services,
  live: LiveAgent,
  terms: ListingTerms,
  lastCall: LastCall,
): Promise<ListingRow> {
  const { agent } = live;
  await requireControl(services, live, terms);
  const now = services.now();
  const listingRef = services.newId('lst');
  const listing = await services.db.transaction().execute(async (trx) => {
    const row = await insertListing(trx, {
      listingRef,
      handle: agent.handle,
      owner: lowerAddress(live.chain.owner),
      asset: terms.asset,
      category: terms.category,
      chain: `eip155:${HOME_CHAIN}`,
      description: terms.description,
      ask: terms.ask,
      floor: terms.floor,
      negotiable: terms.negotiable,
      gate: terms.gate,
      featured: false,
      orderId: services.newId('ord'),
      pledgeId: services.newId('plg'),
      expiresAt: new Date(now.getTime() + LISTING_MS),
      now,
    });
    // Judged under the agent's lock, after the rows stand: its own new order is not yet a deal.
    const held = await heldBy(trx, agent.handle, now);
    await judgeOrder(services, trx, agent, {
      side: 'sell',
      limit: terms.floor ?? terms.ask,
      listing: row,
      held: { ...held, resting: held.resting - 1 },
      now,
    });
    await deliver(trx, {
      actorId: `agent:${agent.handle}`,
      eventId: `listed:${listingRef}`,
      event: { type: 'LISTED', listingRef },
      now,
    });
    lastCall();
    return row;
  });
  services.bell.actor(`agent:${agent.handle}`);
  return listing;
}

/**
 * Deposit: the asset is in the agent's account. Owner-signed: it is with the agent's owner, whose signature over
 * this listing the caller has checked.
 */
async function requireControl(services: Services, live: LiveAgent, terms: ListingTerms): Promise<void> {
  const { asset } = terms;
  const key = assetKey(asset);
  if (asset.kind !== 'token') {
    throw new AppError(
      'not-listed',
      `${key} is a serial: it can be listed once it stands as a certificate on chain.`,
    );
  }
  if (asset.chainId !== HOME_CHAIN) {
    throw new AppError('not-listed', `${key} is on another chain than the agents' (eip155:${HOME_CHAIN}).`);
  }
  const { readers } = services.home;
  let holder: string | null;
  try {
    const { number } = await readers.viem.head();
    holder = await readAssetOwner(readers.viem, asset.contract, BigInt(asset.tokenId), number);
  } catch (error) {
    if (error instanceof ReaderError)
      throw new AppError('unavailable', 'The chain cannot be read now.', { cause: error });
    throw error;
  }
  const wanted = terms.gate === 'deposit' ? live.agent.account : live.chain.owner;
  if (holder === null || !sameAddress(holder, wanted)) {
    const remedy =
      terms.gate === 'deposit'
        ? `Transfer it to the agent's account ${wanted} first.`
        : `It must be with the owner ${wanted}.`;
    throw new AppError('not-listed', `${key} is with ${holder ?? 'nobody'}. ${remedy}`);
  }
}
