import { sha256Hex } from '../canonical.ts';

/**
 * The prefix of orders that an agent places by itself. Ids of a person's orders continue in hexadecimal, so none has
 * it.
 */
export const BY_ITSELF = 'ord_s';

/** The id of the order that one evaluation places on one listing: the same for every retry. */
export function evaluationOrderId(evaluationKey: string, listingRef: string): string {
  return `${BY_ITSELF}${sha256Hex(`${evaluationKey}\n${listingRef}`).slice(0, 31)}`;
}

/** Whether an agent placed this order by itself. */
export function isByItself(orderId: string): boolean {
  return orderId.startsWith(BY_ITSELF);
}
