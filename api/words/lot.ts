import { type Html, html } from '../html/html.ts';

/** What the page of a lot says. */
export const LOT = {
  picture: (description: string) => `Picture of ${description}`,
  drawn: 'Drawn from the key of the lot',
  description: (askUsd: number, description: string) => `For sale at $${askUsd}: ${description}`,
  facts: {
    lot: 'Lot',
    category: 'Category',
    chain: 'Chain',
    noChain: 'none: known by its serial',
    seller: 'Sold by',
    listed: 'Listed',
    toldFor: 'Told for',
    /** An attribute by the seller's word. */
    told: (attribute: string) => `${attribute}, as told`,
  },
  known: 'What is known',
  proven: '✓ control proved on chain',
  notJudged: (what: string) => `? not judged: ${what}`,
  allJudged:
    'Everything can be looked at before it settles: the other side’s wallet, a double pledge, the bidding, the price and where it comes from.',
  choose: 'Choose what a finding causes',
  check: 'Have it checked',
  sales: 'What its kind sold for',
  custody: 'Who had it',
  offer: {
    told: 'the price',
    asked: 'asked, or an offer',
    fixed: 'buy now',
    toBeat: 'price to beat: an offer below it may still meet the seller’s private limit',
    limit: 'At most, in dollars',
    limitHint: 'Private. You pay the middle between your limit and the seller’s, never more than this.',
    fixedHint: 'It has one price. You pay that, and never more than this.',
    agent: 'Bought by your agent',
    makeOffer: 'Make an offer',
    buy: 'Buy it',
    after: html`Nothing is bought yet: you read and sign the sentence first. No agent? <a href="/agents/new">Make one</a>.`,
  },
} as const;

/** What the plot of the sales of a kind says. */
export const SALES = {
  none: 'Nothing of this category has been sold here yet, so the price cannot be compared.',
  title: (count: number, least: number, most: number, asked: number) =>
    `${count} sales, from ${least} to ${most} dollars; asked now ${asked}`,
  caption: (asked: Html, latest: Html, at: Html) =>
    html`Each dot is a sale of its category, a diamond one of this very lot; the dashed line is ${asked}, as it stands now. Latest: ${latest}, ${at}.`,
  own: {
    none: 'This very lot was not sold here before.',
    some: (times: number, latest: Html, at: Html) =>
      html`This very lot was sold here ${times === 1 ? 'once' : `${times} times`}, last for ${latest}, ${at}.`,
  },
  table: 'The sales',
  tableCaption: 'Sales of its category and of this very lot, newest first',
  columns: { what: 'What', price: 'Price', at: 'Sold', tx: 'Transaction' },
  thisLot: 'this very lot',
} as const;

/** What the timeline of a lot's holders says. */
export const CUSTODY = {
  sale: (seller: Html, at: Html) => html`<strong>For sale</strong> by ${seller} ${at}`,
  sold: 'Sold',
  stopped: 'A deal was stopped',
  settling: 'Being settled',
  made: 'Made',
  destroyed: 'Destroyed',
  handedOver: 'Handed over',
  price: (price: Html) => html` for ${price}`,
  madeFor: (holder: Html) => html` for ${holder}`,
  handedTo: (holder: Html) => html` to ${holder}`,
  block: (block: string, tx: Html) => html`block ${block}, ${tx}`,
  dealsAlone: 'Its deals on this platform. Who held it before is looked up when the lot is checked.',
  notAll:
    'Holders by the chain, as two independent readers tell them; earlier ones are looked up when the lot is checked.',
  all: 'Every holder since it was made, as two independent readers of the chain tell them.',
} as const;
