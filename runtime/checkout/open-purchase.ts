import { AppError, badField } from '../../agents/errors.ts';
import { lowerAddress } from '../../agents/ids.ts';
import type { MembershipKind } from '../../agents/market/membership.ts';
import { chargeFor, priceName } from '../../agents/market/pricing/prices.ts';
import { isNameLot } from '../../agents/names/name.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { findListing } from '../../store/market/listings.ts';
import type { LastCall, Services } from '../services.ts';
import { type OpenedPage, openCardPage } from './card-page.ts';

/**
 * Opens the card payment for a year of membership of a wallet. A year that is bought early begins when the current one
 * ends.
 * @throws AppError bad-request, unavailable when the card processor cannot be reached
 */
export async function openMembership(
  services: Services,
  request: { wallet: string; kind: MembershipKind },
  lastCall: LastCall,
): Promise<OpenedPage> {
  if (BigInt(request.wallet) === 0n)
    throw badField('wallet', 'must be a wallet: nobody signs for the zero address');
  const price = `membership-${request.kind}` as const;
  return await openCardPage(
    services,
    {
      kind: 'membership',
      owner: lowerAddress(request.wallet),
      handle: null,
      tier: null,
      depth: null,
      amount: chargeFor(services.config.prices, price),
      details: { membership: request.kind },
    },
    { productName: `Safe Handshake ${priceName(price)}, one year`, page: '/membership/checkout', lastCall },
  );
}

/**
 * Opens the card payment of a listing's fee, without which it is not shown, or of featured placement.
 * @throws AppError not-found, not-listed (it has left the catalogue), conflict (it is featured or shown already, or
 *   must first pay its own fee), bad-request for a listing that costs nothing and for a name's placement, unavailable when
 *   the card processor cannot be reached
 */
export async function openPlacement(
  services: Services,
  request: { listingRef: string; featured: boolean },
  lastCall: LastCall,
): Promise<OpenedPage> {
  const { listingRef, featured } = request;
  const price = featured ? 'listing-featured' : 'listing-standard';
  const amount = chargeFor(services.config.prices, price);
  if (amount === 0n) throw badField('featured', 'standard listings cost nothing: there is nothing to pay');
  const listing = await findListing(services.db, listingRef);
  const agent = listing === null ? null : await findAgent(services.db, listing.handle);
  if (listing === null || agent === null) {
    throw new AppError('not-found', `There is no listing "${listingRef}".`);
  }
  if (featured && isNameLot(listing.asset_key))
    throw badField('listingRef', 'is of a name: names have a list of their own, which features none');
  if (!featured && (listing.status === 'live' || listing.status === 'dealing')) {
    throw new AppError('conflict', `The listing "${listingRef}" shows already: there is nothing to pay.`);
  }
  if (featured && listing.status === 'unpaid') {
    throw new AppError(
      'conflict',
      `The listing "${listingRef}" waits for its own fee: pay that first, with featured false.`,
    );
  }
  if (featured ? listing.status !== 'live' : listing.status !== 'unpaid') {
    throw new AppError('not-listed', `The listing "${listingRef}" has left the catalogue.`);
  }
  if (listing.featured) throw new AppError('conflict', `The listing "${listingRef}" is featured already.`);
  return await openCardPage(
    services,
    {
      kind: 'listing',
      owner: agent.owner,
      handle: null,
      tier: null,
      depth: null,
      amount,
      details: { listingRef, featured },
    },
    { productName: `Safe Handshake ${priceName(price)}, ${listingRef}`, page: '/listing/checkout', lastCall },
  );
}
