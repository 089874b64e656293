import { chainName } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';

/** What the page of an agent says, and the lists of agents and of what one did. */
export const AGENT = {
  held: {
    owner: 'its owner has paused it',
    'owner-on-chain': 'its owner has paused it on chain',
    guardian: 'the guardian has paused it on chain',
    'mandate-end': 'its mandate has ended',
    'new-owner': 'its new owner has signed no mandate yet',
    operator: 'the operator has suspended it',
  },
  holds: (why: string) => `It does not trade: ${why}.`,
  description: (mandate: string) => `An agent of Safe Handshake: ${mandate}`,
  portrait: (handle: string) => `Portrait of ${handle}`,
  acts: {
    money: 'Fund or withdraw',
    edit: 'Edit what it may do',
    resume: 'Resume it',
    pause: 'Pause it',
    sell: 'Sell something',
    profile: 'Say who it is',
  },
  capsTold: 'balance and limits',
  unread: (why: string) => `The chain could not be read: ${why}`,
  balance: 'in its account',
  spendable: 'the most that one payment may be now',
  noLimit: 'no limit',
  limits: 'Limits',
  asOf: (block: string, orders: string) =>
    html`Read from the chain at block ${block}. What its orders have promised of it, its owner sees <a href="${orders}">with its orders</a>.`,
  caps: {
    periods: { day: 'in the last 24 hours', week: 'in the last 7 days', month: 'this month', all: 'in all' },
    deal: (most: Html) => html`At most ${most} a deal.`,
    noDeal: 'No limit for a single deal.',
    noOther: 'No other limit is set.',
    spent: (spent: Html, period: string) => html`${spent} spent ${period}`,
    of: (most: Html) => html`of ${most}`,
  },
  holdings: {
    heading: 'What it holds',
    told: 'what it holds',
    caption: 'Tokens in its account',
    columns: { token: 'Token', amount: 'Amount', sale: 'For sale' },
    dollars: 'Test USDC',
    one: '1',
    forSale: 'For sale now',
    notForSale: 'no',
    limits: (block: string) =>
      `Read from the chain at block ${block}, of what it listed or bought here. A token that was only sent to it is not looked for.`,
    unread: 'What it holds cannot be read now.',
  },
  may: 'What it may do',
  ownWords: 'In its owner’s words',
  enforced: 'As it is enforced',
  stands: 'Where it stands',
  did: 'What it did',
  didTold: 'what it did',
  didNothing: 'It has done nothing yet. Fund it, and it looks for lots inside its mandate.',
  everything: 'Everything this agent has done, on the record',
  onChain: {
    heading: 'On chain',
    owner: 'Owner',
    account: 'Account',
    token: 'Token',
    tokenOf: (tokenId: string, contract: Html, chainId: number) =>
      html`${tokenId} of ${contract} on ${chainName(`eip155:${chainId}`)}`,
    minted: 'Minted in',
    mandate: 'Mandate',
    version: (version: number, hash: Html) => html`version ${version}, hash ${hash}`,
    mandateOnChain: 'Mandate on chain',
    same: 'the same',
    unread: 'could not be read',
    another: (hash: Html) => html`${hash} <strong>another: new terms are under way</strong>`,
    orders: 'Orders',
    deals: 'Deals',
    looks: 'Looks',
    byChecks: 'by checks of fixed rules only',
    since: 'Since',
  },
  asHashed: 'The mandate as it is hashed',
  structured: 'Structured mandate',
  things: {
    heading: 'Money and things',
    words:
      'Each is a transaction of your wallet, straight to the chain. Anybody may fund; the rest is its owner’s.',
    dollars: 'Dollars',
    contract: 'Token contract',
    number: 'Token number',
    fund: ['Fund', 'Send test USDC from your wallet to its account.', 'Send the money'],
    withdraw: ['Withdraw', 'Take test USDC out of its account, to your wallet.', 'Take it out'],
    deposit: ['Deposit a token', 'Give a token to its account, so that it can sell it.', 'Deposit it'],
    approve: [
      'Approve a token',
      'Keep a token, and let the Settlement contract deliver it when it is sold.',
      'Approve it',
    ],
  },
  /** Of a transaction that a wallet elsewhere sends. */
  elsewhere: {
    lead: 'Nothing is sent yet. Send this transaction with your wallet, wherever it is; the chain does the rest.',
    columns: { chain: 'Chain', from: 'From', to: 'To', value: 'Value', data: 'Data' },
    anybody: 'any wallet that has the money',
    back: (handle: string) => `See ${handle}`,
  },
} as const;

/** What the picture of an agent says. */
export const PORTRAIT = {
  title: (handle: string, tier: string) => `${handle}, an ${tier} of Safe Handshake`,
  about: (status: string, account: string, tokenId: string, chain: string) =>
    `Status ${status}. Account ${account}, token ${tokenId} on ${chain}. The seal is drawn from the address of the account.`,
  name: 'Safe Handshake',
  number: (chain: string, tokenId: string) => `${chain} no. ${tokenId}`,
} as const;

/** What the list of agents says. */
export const AGENTS = {
  heading: 'Agents',
  lead: 'An agent deals for its owner: a token with an account of its own, held by the chain to what its owner wrote. The agent is who you deal with.',
  make: 'Make an agent',
  told: 'agents',
  caption: 'Agents, newest first',
  columns: {
    agent: 'Agent',
    tier: 'Tier',
    state: 'State',
    account: 'Account',
    owner: 'Owner',
    categories: 'Categories',
    since: 'Since',
  },
  anyCategory: 'any',
  states: {
    active: 'active',
    paused: 'paused',
    suspended: 'suspended',
    minting: 'minting',
    retired: 'retired',
  },
} as const;

/** What the list of what an agent did says. */
export const ACTIVITY = {
  /** A record, and the lot that it is about. */
  ofLot: (summary: string, lot: string) => `${summary.replace(/\.$/, '')}, of “${lot}”`,
  heading: (handle: string) => `Activity of ${handle}`,
  lead: 'A record is inscribed when something has happened, and anchored when its hash stands on chain.',
  about: 'About this agent',
  told: 'activity',
  caption: 'Activity records, newest first',
  none: 'This agent has done nothing yet.',
  fund: 'Fund it, so that it can',
  columns: { record: 'Record', state: 'State', subject: 'Subject', when: 'When', anchored: 'Anchored in' },
  notYet: 'not yet',
} as const;

/** What is said of the states of an agent. */
export const STATES = {
  title: (now: string) => `States of an agent: this one is ${now}`,
  means: {
    minting: 'It is paid for, and being made on chain.',
    active: 'Nothing holds it: it may place orders inside its mandate.',
    suspended: 'The operator holds it; it places no orders until the operator lifts that.',
    transferred: 'It has a new owner, who has signed no mandate yet.',
    paused: 'It is paused; whoever paused it lets it go on.',
    retired: 'It has ended. Its keys sign nothing more.',
  } as Readonly<Record<string, string>>,
  other: 'It is where its machine says.',
} as const;
