import { chainName } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';

/** What the page of names says. */
export const NAMES_FOR_SALE = {
  heading: 'Names',
  lead: 'Names at an ask, or in an auction that their seller started. Of every auction one figure is shown: what a better offer must clear.',
  formats: { 'buy-now': 'buy now', dutch: 'Dutch auction', ascending: 'ascending auction' },
  columns: {
    name: 'Name',
    format: 'Sold by',
    price: 'Price now',
    pays: 'You would pay',
    state: 'State',
    ends: 'Ends',
    seller: 'Seller',
    listed: 'Listed',
  },
  states: {
    atAsk: 'at its ask',
    falls: (from: Html, to: Html) => html`falls from ${from} to ${to}`,
    opens: (at: Html) => html`opens at ${at}`,
    opened: (at: Html) => html`opened at ${at}`,
  },
  bid: 'Bid',
  buy: 'Buy',
  name: 'Name',
  example: 'alice.x',
  find: 'Find',
  all: 'All names',
  caption: 'Names for sale, newest first',
  how: 'How a name is sold',
  fees: (ask: Html, nets: Html, pays: Html) =>
    html`The platform's fee is two and a half percent on each side: at an ask of ${ask} the seller nets ${nets} and the buyer pays ${pays}. A Dutch price falls in a straight line, and the first who covers it has the name. An ascending auction goes to the highest bid, at an increment over the next; a bid in its last stretch moves its end. Where a bid that had made the price may not buy at the end, that bid is out, and the auction goes on for another stretch, so that whoever it kept away may bid. So it is where the winner's deal does not settle.`,
  held: html`An agent bids for its owner, inside its mandate: <a href="/domains/policy">the rules</a> and <a href="/openapi.json">the interface</a> are the same for all. A name is held by its provider's token; where its provider has none, by a certificate, which stands on its first holder's signed word and is marked as the seller's claim, unproven. Whoever has the token takes the place of such a claim.`,
} as const;

/** What the page of a certificate says. */
export const CERTIFICATE = {
  columns: {
    what: 'What',
    from: 'From',
    to: 'To',
    reason: 'Reason',
    block: 'Block',
    transaction: 'Transaction',
  },
  nobody: 'nobody',
  facts: {
    serial: 'Serial',
    token: 'Token',
    contract: 'Contract',
    on: (contract: Html, chainId: number) => html`${contract} on ${chainName(`eip155:${chainId}`)}`,
    holder: 'Held by',
    controller: 'Controlled by',
    listed: 'For sale',
    forSale: 'For sale now',
    notListed: 'not for sale',
    block: 'Read at block',
  },
  transfer: 'Transfer it',
  pledge: 'Pledge it',
  dispute: 'Dispute it',
  history: 'History',
  earlier: 'Earlier events lie further back than was looked.',
  caption: 'What happened to it, newest first',
  none: 'Nothing was found.',
  disputes: 'Disputes',
} as const;

/** What the page of a certificate says of its disputes. */
export const DISPUTES = {
  none: 'Nobody has disputed it.',
  quoted:
    'What is quoted are the words of the parties. The service has not checked them, nor what the addresses lead to.',
  by: 'Disputed by',
  byAt: (wallet: Html, at: Html) => html`${wallet}, ${at}`,
  evidence: 'Evidence',
  noEvidence: 'none',
  reply: 'Reply',
  noReply: (until: Html, link: Html) => html`none; the time for it ends ${until}. ${link}`,
  replyTo: (disputeId: string) => html`Reply<span class="hidden"> to ${disputeId}</span>`,
  /** Where the thing is bought. */
  open: {
    label: 'disputed',
    words: 'Its certificate is publicly disputed, and that is not decided. A dispute alone stops nothing.',
    one: (wallet: Html, at: Html) => html`By ${wallet}, ${at}.`,
    read: (disputeId: string) => html`Read it<span class="hidden">: dispute ${disputeId}</span>`,
  },
  heldUntil: 'Held until',
  decision: 'Decision',
  onAppeal: 'Decision on appeal',
  decided: (decision: string, at: Html) => html`${decision}, ${at}`,
  record: 'its record',
  quotes: {
    grounds: 'Grounds',
    reply: 'Reply of the holder',
    held: 'Why the operator held it',
    decided: 'Why it was decided so',
    appeal: 'Appeal',
    noWords: 'no words',
    onAppeal: 'Why it was decided so on appeal',
  },
} as const;
