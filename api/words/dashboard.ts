import { type Html, html } from '../html/html.ts';

/** What the page of an owner says. */
export const DASHBOARD = {
  heading: 'Dashboard',
  lead: 'Your agents, what waits for you, what they earned. Connect the wallet that owns them: no account, no password.',
  agentsOf: (wallet: Html) => html`The agents of ${wallet}`,
  wallet: 'Your wallet',
  show: 'Show',
  make: 'Make an agent',
  waitsTold: 'what waits for you',
  ofAll: (trading: number, all: number, more: boolean) => `${trading} of ${more ? 'the newest ' : ''}${all}`,
  newest: (listed: number) => `The newest ${listed} are listed.`,
  allAgents: 'All agents of this wallet',
  happenedOf: (agents: number) => `Of ${agents} agents: those that wait for you, then the newest.`,
  ownOf: (agents: number) =>
    `Of ${agents} of your agents: those that wait for you, then the newest. Each of the others has it on its own page, and the CSV has the deals of all.`,
  trade: 'agents trade now',
  dealsWait: 'deals wait for you',
  agents: 'My agents',
  agentsTold: 'my agents',
  caption: 'Agents of this wallet, newest first',
  columns: { agent: 'Agent', state: 'State', waits: 'Waits for you', account: 'Account', act: 'Do' },
  nothing: 'nothing',
  toDecide: (deals: number) => `${deals} to decide`,
  until: (at: Html) => html`, stopped ${at} otherwise`,
  acts: { money: 'Fund or withdraw', edit: 'Edit', pause: 'Pause', resume: 'Resume' },
  stopAll: 'Stop all my agents',
  happened: 'What happened',
  happenedTold: 'what happened',
  newestFirst: 'The newest first.',
  own: 'Yours alone',
  one: 'A deal waits for you',
  several: (deals: number) => `${deals} deals wait for you`,
  decideUntil: (at: Html) => html`Without your decision the first is stopped ${at}. `,
  beside: 'What was found stands beside your choice.',
  decideOf: (handle: string) => `See it, and decide: ${handle}`,
  everything: 'Everything you can do',
} as const;

/** What is told to an owner alone. */
export const OWN = {
  inAccounts: 'in the accounts',
  earned: 'earned by sales, after fees',
  spent: 'spent on purchases',
  allDeals: (handle: string) => `All deals of ${handle}`,
  know: 'What you should know',
  nothing: 'Nothing needs you now.',
  more: (left: number) => `And ${left} more, below.`,
  labels: {
    stopped: 'stopped',
    finding: 'finding',
    money: 'no money',
    ends: 'ends soon',
  },
  queue: {
    heading: (deals: number) => (deals === 1 ? 'A deal to decide' : `${deals} deals to decide`),
    words:
      'Decide on each by itself, and the next stands here afterwards; or tick those on which you decide alike, and sign once.',
  },
  several: {
    words: 'Of the deals that you ticked:',
    stop: 'Stop the ticked',
    proceed: 'Proceed with the ticked',
  },
  stopped: (agent: Html, price: Html, at: Html) => html`${agent}: a deal of ${price} was stopped ${at}.`,
  wentOn: (agent: Html, price: Html, at: Html) =>
    html`${agent}: a deal of ${price} settled ${at} although something was found.`,
  read: 'Read all of it',
  found: (words: string) => `Found: ${words}.`,
  unfunded: (agent: Html, limit: Html) => html`${agent}: an order of ${limit} is not on the book.`,
  fund: 'Fund it',
  ends: (agent: Html, limit: Html, at: Html) => html`${agent}: an order of ${limit} ends ${at}.`,
  again: 'Place it again',
} as const;

/** What the plot of earnings says, by `day` or `month`. */
export const EARNINGS = {
  heading: 'Earnings',
  period: 'Period',
  periods: { days: 'Last 30 days', months: 'Last 12 months' },
  before: {
    days: (usd: Html) => html`${usd} in the 30 days before`,
    months: (usd: Html) => html`${usd} in the 12 months before`,
  },
  download: 'Download all deals (CSV)',
  title: {
    day: 'Earned and spent by day; the table under it has the figures',
    month: 'Earned and spent by month; the table under it has the figures',
  },
  each: { day: 'Each bar is a day.', month: 'Each bar is a month.' },
  figures: { day: 'The figures, each day', month: 'The figures, each month' },
  caption: { day: 'Earned and spent each day', month: 'Earned and spent each month' },
  columns: { day: 'Day', month: 'Month', earned: 'Earned', spent: 'Spent' },
  none: 'Nothing settled in this time.',
} as const;
