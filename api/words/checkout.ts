import { type Html, html } from '../html/html.ts';

/** What is said on the way to a new agent. */
export const NEW_AGENT = {
  heading: 'Make an agent',
  wrong: 'Error: Make an agent',
  lead: 'Write what it may do in plain words. You see what will be enforced before you pay; what cannot be enforced comes back as a question, and is never ignored.',
  labels: {
    mandate: 'What it may do',
    handle: 'Its handle',
    owner: 'Your wallet',
    tier: 'What kind',
    depth: 'How deep an AGENT looks',
  },
  hints: {
    mandate: html`Say what it deals in, the most it may spend, and until when. For example: <q>Buy digital products, max 150 USDC per deal and 200 USDC per day, until 31 March 2027.</q> Without a date on which it ends it is not taken.`,
    handle: 'The name that others see: 3 to 32 of a–z, 0–9 and hyphen. It is never given to another.',
    owner:
      'An address whose key you hold: it will own the agent, and what binds the agent needs its signature.',
    depth: 'At no extra charge; you can change it later. An EXECUTOR has none.',
  },
  answerHere: 'Put the answer into this text.',
  tiers: {
    AGENT:
      'Works by itself: reads the catalogue, values lots, orders, and checks both sides before each deal.',
    EXECUTOR:
      'Acts on your orders alone. Its checks follow fixed rules, and its verdicts carry no reasoning.',
  },
  review: 'Read it back to me',
  asked: 'A question about the mandate',
  refused: 'This cannot be taken yet',
  suggestion: (words: string) =>
    html`A language model would write it so: <q>${words}</q> It binds nothing unless you send it.`,
} as const;

/** What is said when a mandate is read back. */
export const REVIEW = {
  title: (handle: string) => `What ${handle} may do`,
  heading: (handle: string) => `This is what ${handle} may do`,
  lead: 'Every word was understood. This, and nothing else, will stand on chain, and the chain holds the agent to it, whoever holds its key.',
  unbounded: (warning: string, offer: string) => html`${warning} To bound it, add: <q>${offer}</q>`,
  youWrote: 'You wrote',
  facts: {
    handle: 'Handle',
    owner: 'Owner',
    kind: 'Kind',
    depth: 'Depth',
    noDepth: 'none: checks by fixed rules only',
    ends: 'Ends',
    hash: 'Hash of the mandate',
  },
  pay: (price: Html) => html`Go on to pay ${price}`,
  payFromWallet: 'Pay in USDC from your wallet',
  change: 'Change it',
  ways: html`By card on the next page, or in test USDC by a transfer that your wallet signs. What counts from now, such as for 30 days, counts from this page for an hour, however you pay; later the mandate is read back once more. A program pays in USDC, too: <code>POST /agent/checkout</code> with <code>"pay": "usdc"</code>.`,
} as const;

/** What the page of a checkout says. */
export const CHECKOUT = {
  told: 'the checkout',
  heads: {
    'awaiting-payment': 'Not paid yet',
    paid: 'Paid: it is being made',
    minting: 'Paid: it is being minted',
    minted: 'It is minted',
    failed: 'It could not be made',
    expired: 'The time to pay is over',
  },
  minted: (handle: string) => `${handle} is minted`,
  holds: 'Paid: it holds',
  takenBack: 'The payment was taken back',
  notHolding: {
    agent:
      'The money was refunded, or its payment is in dispute. The agent was suspended for it; its page says whether it still is. A dispute that is decided for this service lifts that by itself.',
    membership:
      'The money was refunded, or its payment is in dispute: it covers no wallet. A dispute that is decided for this service gives it back by itself.',
    listing:
      'The money was refunded, or its payment is in dispute: what was paid for does not hold. A dispute that is decided for this service gives it back by itself.',
  },
  checkout: 'Checkout',
  heldUntil: 'The offer ends',
  again: 'Begin again',
  membership: 'It covers the wallet for a year from now, or from the end of the year before it.',
  standing: 'See whether it covers a wallet',
  placement: 'Featured placement',
  listingFee: 'Fee of a listing',
  featured: 'The listing stands first in the catalogue while it is for sale.',
  shown: 'The listing shows in the catalogue while it is for sale.',
  catalogue: 'See the catalogue',
  desk: 'Owner’s desk',
  byCard: (price: Html) => html`Pay ${price} by card`,
  havePaid: 'I have paid: look again',
  moment: 'This takes a moment. What was paid for is made once, also if this page is closed.',
  lookAgain: 'Look again',
  onChain: 'The token, its account, the mandate and its limits stand on chain, in one transaction.',
  see: (handle: string) => `See ${handle}`,
  act: 'Act for it',
  failed: {
    card: 'Money that bought nothing goes back to the card by itself.',
    usdc: 'USDC that bought nothing does not go back by itself. Whoever runs this service was told, and returns it by hand to the wallet that paid: write to them, and name the checkout below.',
  },
  reason: (why: string) => `The reason: ${why}.`,
  unmade: 'it could not be made',
  expired: 'Nothing was charged.',
  expiredAgent: 'Nothing was charged. The handle is free again, unless somebody else has paid for it.',
} as const;
