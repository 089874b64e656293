import { listingOfAuction } from '../../store/names/auctions.ts';
import type { EffectRunner } from '../durable/jobs/effect.ts';
import { reviewAfterAuction } from '../market/public.ts';
import type { Services } from '../services.ts';

/**
 * Reviews the seller's order of an auction that sold nothing, or whose last winner's deal did not settle. What a stop or
 * a new mandate would have withdrawn meanwhile leaves now.
 */
export function reviewAfterAuctionEffect(services: Services): EffectRunner {
  return {
    kind: 'review-after-auction',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      await reviewAfterAuction(services, await listingOfAuction(services.db, String(params.auctionId)));
      return {};
    },
  };
}
