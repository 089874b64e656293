/** What other features may use of this one; everything else here is its own. */
export { judgeOrder } from './judge-order.ts';
export { LISTING_MS, type Listed, type ListingTerms, listAsset } from './list-asset.ts';
export { lookThenWrite } from './look-again.ts';
export { placeOrder, recordRefusal } from './place-order.ts';
export { AssetLeft, isWithSeller, whyNotControlled } from './prove-control.ts';
export { type PairProofs, withProofs } from './prove-pair.ts';
export { readOrderingAgent } from './read-ordering-agent.ts';
