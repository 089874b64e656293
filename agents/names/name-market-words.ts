import { spanWords, usdWords } from '../figures.ts';
import { nameWords } from '../market/lot-words.ts';
import { nameMoney } from '../market/pricing/fees.ts';
import type { Micro } from '../money.ts';

/** Statements that an owner signs on the name market. Amounts are in micro-dollars. */

export function nameListingWords(listing: { name: string; handle: string; ask: Micro }): string {
  return `Sell the name ${nameWords(listing.name)} with agent ${listing.handle} at ${usdWords(listing.ask)}.`;
}

export function nameAuctionWords(auction: {
  readonly name: string;
  readonly handle: string;
  readonly format: 'dutch' | 'ascending';
  readonly reserve: Micro;
  /** For a Dutch auction only. */
  readonly start: Micro | null;
  readonly durationSeconds: number;
}): string {
  const { name, handle, format, reserve, start, durationSeconds } = auction;
  const how = format === 'dutch' ? 'a Dutch' : 'an ascending';
  const from = start === null ? '' : ` from ${usdWords(start)}`;
  return `Start ${how} auction of the name ${nameWords(name)} with agent ${handle}${from}, not below ${usdWords(reserve)}, for ${spanWords(durationSeconds)}.`;
}

export function nameBidWords(bid: { name: string; handle: string; most: Micro }): string {
  return `Bid for the name ${nameWords(bid.name)} with agent ${bid.handle}, at most ${usdWords(bid.most)}. The name fee comes on top: ${usdWords(nameMoney(bid.most).buyerPays)} in all at most.`;
}

/** @param fee the buyer's part of the name fee, in micro-dollars */
export function namePurchaseWords(purchase: {
  name: string;
  handle: string;
  price: Micro;
  fee: Micro;
}): string {
  const { name, handle, price, fee } = purchase;
  return `Buy the name ${nameWords(name)} with agent ${handle} at its ask of ${usdWords(price)}, and ${usdWords(fee)} name fee: ${usdWords(price + fee)} in all.`;
}
