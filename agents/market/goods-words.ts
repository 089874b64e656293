import { instantWords, usdWords } from '../figures.ts';
import { isEvmAddress } from '../ids.ts';
import type { Micro } from '../money.ts';
import { codeText, quoted } from '../signed-text.ts';
import { type LotNamed, lotWords } from './lot-words.ts';
import { type PledgeReleaser, pledgeReleaser } from './pledge-release.ts';
import type { Attributes } from './pricing/model/attributes.ts';
import { attributeWords } from './pricing/model/read-attributes.ts';

/** What an owner signs about things: listings, pledges, certificates. Amounts in micro-dollars. */

/**
 * The text of a listing. It becomes public on chain, so it never holds the private floor and tells the owner that the
 * floor is not in it.
 */
export function listingWords(listing: {
  readonly handle: string;
  readonly lot: LotNamed;
  readonly ask: Micro;
  readonly negotiable: boolean;
  readonly gate: 'deposit' | 'owner-signed';
  /** What is told of it, which its price is judged by; null where nothing is. */
  readonly attributes: Attributes | null;
}): string {
  const { handle, lot, ask, negotiable, gate, attributes } = listing;
  const where = gate === 'deposit' ? 'held by the agent' : 'held by my wallet';
  const room = negotiable ? 'negotiable' : 'not negotiable';
  const told = attributes === null ? '' : `, told as ${attributeWords(attributes)}`;
  return `Sell ${lotWords(lot)}${told}, ${where}, with agent ${handle} at ${usdWords(ask)}, ${room}.`;
}

export interface PledgeNamed {
  /** The asset key as the request names it. */
  readonly key: string;
  readonly listingRef: string;
  readonly lender: string | null;
  /** When the debt is due; it ends no pledge. */
  readonly until: Date | null;
}

export function pledgeWords({ key, listingRef, lender, until }: PledgeNamed): string {
  const due = until === null ? 'no due day named' : `due ${instantWords(until)}`;
  return `Pledge ${codeText(key)} for ${quoted(listingRef)}, ${lenderWords(lender)}, ${due}. It ends when ${RELEASER[pledgeReleaser(lender)]}, and not by a date. No second listing or pledge of it stands meanwhile.`;
}

const RELEASER: Readonly<Record<PledgeReleaser, string>> = {
  pledger: 'the wallet that pledges releases it',
  lender: 'its lender releases it',
  operator: 'the operator releases it, as its lender is not named by a wallet',
};

export function releaseWords(pledge: PledgeNamed & { readonly pledgeId: string }): string {
  const { pledgeId, key, listingRef, lender } = pledge;
  return `Release pledge ${codeText(pledgeId, 64)} of ${codeText(key)}, made for ${quoted(listingRef)}, ${lenderWords(lender)}.`;
}

function lenderWords(lender: string | null): string {
  if (lender === null) return 'no lender named';
  return isEvmAddress(lender) ? `lender ${lender.toLowerCase()}` : `lender ${quoted(lender)}`;
}

export function certificateTransferWords(transfer: {
  readonly tokenId: bigint;
  /** The key of the serial that the certificate stands for. */
  readonly serial: string;
  readonly from: string | null;
  readonly to: string;
}): string {
  const { tokenId, serial, from, to } = transfer;
  const whence = from === null ? '' : ` from ${from.toLowerCase()}`;
  return `Transfer certificate ${tokenId} of ${codeText(serial)}${whence} to ${to.toLowerCase()}. What is listed by it leaves the market.`;
}

interface DisputedNamed {
  readonly tokenId: bigint;
  /** The key of the serial it stands for. */
  readonly serial: string;
}

export function disputeWords(
  dispute: DisputedNamed & { readonly grounds: string; readonly pieces: number },
): string {
  const { tokenId, serial, grounds, pieces } = dispute;
  const evidence = `${pieces} ${pieces === 1 ? 'piece' : 'pieces'} of evidence`;
  return `Dispute certificate ${tokenId} of ${codeText(serial)} with ${evidence}. My words are published: ${quoted(grounds, 160)}.`;
}

export function disputeReplyWords(
  reply: DisputedNamed & { readonly disputeId: string; readonly reply: string },
): string {
  const { tokenId, serial, disputeId } = reply;
  return `Reply to dispute ${codeText(disputeId, 64)} of certificate ${tokenId} of ${codeText(serial)}. My words are published: ${quoted(reply.reply, 160)}.`;
}
