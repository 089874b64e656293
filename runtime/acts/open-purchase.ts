import { AppError, badField } from '../../agents/errors.ts';
import { lowerAddress } from '../../agents/ids.ts';
import type { MembershipKind } from '../../agents/market/membership.ts';
import { chargeFor, priceName } from '../../agents/market/prices.ts';
import { findAgent } from '../../store/agents.ts';
import { findListing } from '../../store/listings.ts';
import type { LastCall, Services } from '../services.ts';
import { type OpenedPage, openCardPage } from './card-page.ts';

/**
 * Opens the card payment of one year of membership for a wallet; a year bought early begins when the last one ends.
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
      amount: chargeFor(services.config.pricing, price),
      details: { membership: request.kind },
    },
    { productName: `Safe Handshake ${priceName(price)}, one year`, page: '/membership/checkout', lastCall },
  );
}

/**
 * Opens the card payment of featured placement.
 * @throws AppError not-found, not-listed (it has left the catalogue), conflict (it is featured already), bad-request
 *   for a placement that costs nothing, unavailable when the card processor cannot be reached
 */
export async function openPlacement(
  services: Services,
  request: { listingRef: string; featured: boolean },
  lastCall: LastCall,
): Promise<OpenedPage> {
  const { listingRef, featured } = request;
  const price = featured ? 'listing-featured' : 'listing-standard';
  const amount = chargeFor(services.config.pricing, price);
  if (amount === 0n) throw badField('featured', 'standard listings cost nothing: there is nothing to pay');
  const listing = await findListing(services.db, listingRef);
  const agent = listing === null ? null : await findAgent(services.db, listing.handle);
  if (listing === null || agent === null) {
    throw new AppError('not-found', `There is no listing "${listingRef}".`);
  }
  if (listing.status !== 'live') {
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
