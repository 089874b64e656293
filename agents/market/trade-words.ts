import { disputedWords, type OpenDispute } from '../certificates/open-dispute.ts';
import { countOf, instantWords, usdWords } from '../figures.ts';
import type { Micro } from '../money.ts';
import { codeText, quoted } from '../signed-text.ts';
import { type LotNamed, lotWords } from './lot-words.ts';
import { moneyOf } from './pricing/fees.ts';

/** What an owner signs about orders and deals, in one or two sentences. Amounts in micro-dollars. */

export interface OrderNamed {
  readonly side: 'buy' | 'sell';
  readonly handle: string;
  /** Null when no lot is listed under what the order names, which `named` then repeats. */
  readonly lot: LotNamed | null;
  readonly named: string;
  readonly limit: Micro;
  readonly openingBid: Micro | null;
  /** Null: seven days from when it is placed, or for a seller's order the end of the order that it replaces. */
  readonly expiresAt: Date | null;
}

export function orderWords(order: OrderNamed): string {
  const { side, handle, limit, openingBid, expiresAt } = order;
  const what = order.lot === null ? `what is listed as ${codeText(order.named)}` : lotWords(order.lot);
  const unsaid = side === 'buy' ? 'for 7 days from now' : 'until the order that it replaces would have ended';
  const end = expiresAt === null ? unsaid : `until ${instantWords(expiresAt)}`;
  const most = side === 'buy' ? 'at most' : 'at least';
  const verb = side === 'buy' ? 'Buy' : 'Sell';
  const bid = openingBid === null ? '' : ` Show ${usdWords(openingBid)} as the opening bid.`;
  return `${verb} ${what} with agent ${handle} for ${most} ${usdWords(limit)}, ${end}.${bid}`;
}

/** The text leaves out the order's limit, because whoever asks for a text to sign has proved nothing yet. */
export function cancelWords(order: {
  readonly orderId: string;
  readonly handle: string;
  /** Null: there is no such order. Untold: whether there is one is not said. */
  readonly found: { readonly side: 'buy' | 'sell'; readonly lot: LotNamed } | null | 'untold';
}): string {
  const { orderId, handle, found } = order;
  const which = `order ${codeText(orderId, 64)} of agent ${handle}`;
  if (found === null) return `Take back ${which}.`;
  if (found === 'untold') return `Take back ${which}. If it sells a lot, its listing ends with it.`;
  const rest = found.side === 'sell' ? ' Its listing ends with it.' : '';
  return `Take back ${which}, to ${found.side} ${lotWords(found.lot)}.${rest}`;
}

export interface DecisionNamed {
  readonly decision: 'proceed' | 'stop';
  readonly dealId: string;
  readonly handle: string;
  /** Null for an agent that has no part in the deal. */
  readonly deal: {
    readonly role: 'buyer' | 'seller';
    readonly lot: LotNamed;
    readonly price: Micro;
    /** What this side's determinations found: the name of each with its verdict, such as "Counterparty wallet FLAGGED". */
    readonly found: readonly string[];
    /** Open disputes of the thing, as everybody may read them; the oldest first. */
    readonly disputes: readonly Pick<OpenDispute, 'disputeId'>[];
  } | null;
}

/** Findings are named by determination and verdict alone, as the agent's public records name them. */
export function decisionWords({ decision, dealId, handle, deal }: DecisionNamed): string {
  const which = `deal ${codeText(dealId, 64)} of agent ${handle}`;
  const act = decision === 'proceed' ? 'Proceed with' : 'Stop';
  if (deal === null) return `${act} ${which}.`;
  const verb = deal.role === 'buyer' ? 'buys' : 'sells';
  const disputed = disputedWords(deal.disputes);
  const all = [...deal.found.map((each) => codeLess(each)), ...(disputed === null ? [] : [disputed])];
  const found = all.length === 0 ? 'Nothing was found against it.' : `Found: ${all.join(', ')}.`;
  const known = decision === 'proceed' ? ' I know what was found.' : '';
  const asked = all.length === 0 ? '' : known;
  return `${act} ${which}, which ${verb} ${lotWords(deal.lot)} for ${usdWords(deal.price)}${ownMoney(deal)}. ${found}${asked}`;
}

/** What this side pays or gets in all where a name's fee is on both sides. Of goods the buyer pays the price itself. */
function ownMoney({ role, lot, price }: NonNullable<DecisionNamed['deal']>): string {
  const { buyerPays, sellerNets } = moneyOf(lot.key, price);
  if (buyerPays === price) return '';
  return role === 'buyer'
    ? `, ${usdWords(buyerPays)} in all with the name fee`
    : `, of which it gets ${usdWords(sellerNets)} after the name fee`;
}

/**
 * One decision on several deals: how many, and the lot of each with its price, or with what a buyer pays in all. What was found of each is said by its own
 * `decisionWords`, which the text names beside this.
 */
export function decisionsWords(
  decision: 'proceed' | 'stop',
  deals: readonly Pick<DecisionNamed, 'dealId' | 'deal'>[],
): string {
  const act = decision === 'proceed' ? 'Proceed with' : 'Stop';
  const which = deals.map(({ dealId, deal }) =>
    deal === null
      ? codeText(dealId, 48)
      : `${quoted(deal.lot.description ?? 'a lot', 24)} for ${usdWords(deal.role === 'buyer' ? moneyOf(deal.lot.key, deal.price).buyerPays : deal.price)}`,
  );
  const known = decision === 'proceed' ? ' I know what was found.' : '';
  return `${act} ${countOf(deals.length, 'deal')}, each told below: ${which.join('; ')}.${known}`;
}

/**
 * Replaces every character that the service's own titles and verdicts do not contain, so that nothing foreign is shown.
 */
function codeLess(text: string): string {
  return text.replace(/[^A-Za-z -]/g, ' ');
}
