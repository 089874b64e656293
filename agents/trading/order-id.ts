import { sha256Hex } from '../canonical.ts';

/** No order that a person places has an id of this form: those go on in hexadecimal. */
export const BY_ITSELF = 'ord_s';

/** The id of the order that one survey rests on one listing: the same for every attempt at it. */
export function surveyOrderId(surveyKey: string, listingRef: string): string {
  return `${BY_ITSELF}${sha256Hex(`${surveyKey}\n${listingRef}`).slice(0, 31)}`;
}

/** Whether an agent rested this order by itself. */
export function isByItself(orderId: string): boolean {
  return orderId.startsWith(BY_ITSELF);
}
