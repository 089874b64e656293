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

/**
 * The id of an order that comes back on the terms of another: it is the agent's own where that one was, so that nobody
 * takes its limit for one that the owner named.
 * @param fresh a new id, `ord_` and hexadecimal
 */
export function returningOrderId(fresh: string, before: string): string {
  return isByItself(before) ? `${BY_ITSELF}${fresh.slice('ord_'.length)}` : fresh;
}
