/** What other features may use of this one; everything else here is its own. */

export { reviewAfterAuction } from './listings/after-auction.ts';
export { whyBoundElsewhere, whyNoUse } from './listings/agent-for-sale.ts';
export { LISTING_MS, type Listed, type ListingTerms, listAsset } from './listings/list-asset.ts';
export { AssetLeft, isWithSeller, whyNotControlled } from './listings/prove-control.ts';
export { burntBy, whyBurnt } from './matching/burnt-settlements.ts';
export { type PairProofs, withProofs } from './matching/prove-pair.ts';
export { lookAtBalance, requireCovered } from './orders/buyer-funds.ts';
export { judgeOrder } from './orders/judge-order.ts';
export { lookThenWrite } from './orders/look-again.ts';
export { placeOrder, recordRefusal } from './orders/place-order.ts';
export { readOrderingAgent } from './orders/read-ordering-agent.ts';
export { mayRestBy } from './orders/review-orders.ts';
