import { type Html, html } from '../../html/html.ts';

/** What the answers of acts say. */
export const ANSWER = {
  listing: 'Listing',
  certificate: 'Certificate',
  worth: 'What it is worth',
  feature: 'Feature it',
  catalogue: 'See the catalogue',
  from: 'From',
  to: 'To',
  transaction: 'Transaction',
  record: 'Record',
  publicRecord: 'What is on the public record',
  pledge: 'Pledge',
  what: 'What',
  whatFor: 'What for',
  by: 'By',
  due: 'Due',
  until: 'Until',
  untilReleased: 'it is released',
  keepName: 'Keep the name of the pledge: it is what releases it.',
  release: 'Release it',
  notCovered: (wallet: string) => html`No membership covers <code class="hex">${wallet}</code> now.`,
  buyMembership: 'Buy a membership',
  costs: 'What it costs',
  wallet: 'Wallet',
  membership: 'Membership',
  nextYear: 'Buy the next year',
  nameWallets: 'Name the wallets that it covers',
  paidBy: 'Paid by',
  covered: 'Covered beside it',
  ofLimit: (count: number, limit: number) => `${count} of ${limit}`,
  none: 'none',
  when: 'When',
  why: 'Why',
  lot: 'Lot',
  state: 'State',
  version: (kind: string, version: number) => `${kind}, version ${version}`,
  subscription: 'Subscription',
  log: 'What it decided',
  acts: 'What you signed',
} as const;

/** What the answer of a paid check or evaluation says. */
export const EVALUATED = {
  record: 'Record',
  noRecord: (reason: string) => `none: ${reason}`,
  tiers: { tier2: 'Tier 2', tier3: 'Tier 3, certified' },
  evaluated: 'Evaluated',
  of: (tier: string, category: string) => `${tier}: ${category}`,
  found: 'Found against it',
  open: 'Could not be established',
  notLooked: 'Not looked at',
  nothing: 'nothing',
  charged: 'Charged',
  clean: 'Every determination that ran is CLEAN.',
  flagged: 'Something was found against it.',
  inconclusive:
    'Nothing was found against it, but not all could be established. INCONCLUSIVE is no pass, so it is not CLEAN.',
  notClean: 'It is not CLEAN.',
} as const;

/** What is said of a mandate beside its successor. */
export const SIDES = {
  today: 'Today',
  next: 'From then on',
  unread: 'It cannot be read now.',
  paidFor: 'What it may do once it is paid for',
} as const;

/** What the table of the prices of evaluations says. */
export const TIER_PRICES = {
  heading: 'What it costs',
  caption: 'An evaluation, however deep it looks',
  columns: { category: 'Category', tier2: 'Tier 2', tier3: 'Tier 3' },
} as const;

/** What is said of subscriptions, and of what was sent to them. */
export const SUBSCRIBED = {
  secret: 'The secret, shown this once',
  verifies: 'Any library of Standard Webhooks verifies the messages with it.',
  subscription: 'Subscription',
  address: 'Address',
  told: 'Told',
  everything: 'everything',
  sent: 'See what was sent',
  end: 'End it',
  state: 'State',
  since: 'Since',
  nothingTaken: (at: Html) => html`<br>nothing taken since ${at}`,
  sentTo: (url: string) => html`What was sent<span class="hidden"> to ${url}</span>`,
  endOf: (url: string) => html`End it<span class="hidden">: ${url}</span>`,
  caption: 'Where news goes',
  columns: {
    message: 'Message',
    about: 'About',
    state: 'State',
    tries: 'Tries',
    answered: 'Answered',
    made: 'Made',
  },
  nextTry: (at: Html) => html`<br>next try ${at}`,
  notAnswered: 'nothing yet',
  status: (status: number) => `HTTP ${status}`,
  deliveries: 'What was sent',
} as const;
