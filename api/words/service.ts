import { type Html, html } from '../html/html.ts';

/** What the page of what went wrong says. */
export const PROBLEM = {
  told: 'What a program is told with it',
  members: 'Members of the answer',
  facts: { code: 'Code', status: 'Status', request: 'Request' },
  back: 'Back to the start',
  waysOn: [
    ['/', 'Check a wallet'],
    ['/catalogue', 'See what is for sale'],
    ['/agents/directory', 'See the agents'],
  ],
  columns: { network: 'Network', price: 'Price', token: 'Token', to: 'Paid to' },
  pay: 'Pay from a wallet in this browser',
  ways: 'Ways to pay, one of them',
  how: 'How a payment goes',
  paid: html`This answer is paid per call by x402: a program reads the challenge in <code>PAYMENT-REQUIRED</code>, signs a transfer of test USDC, and asks again with <code>PAYMENT-SIGNATURE</code>. Any x402 client does it by itself. Nothing is charged unless the answer is delivered.`,
} as const;

/** What the documentation of one error code says. */
export const ERROR_CODE = {
  status: (status: number) => `HTTP ${status}`,
  remedy: 'What to do',
  retry: 'The same request may succeed later',
  yes: 'yes',
  no: 'no: change it first',
  looks: 'What it looks like',
  body: html`Every error is a problem body (RFC 9457). <code>detail</code> says what was wrong with this one request, and <code>errors</code> names the fields.`,
  example: 'Example',
  others: 'Other codes',
} as const;

/** What the page of prices says. */
export const PRICING = {
  heading: 'Prices',
  lead: (currency: string) => `Every charge of the service is read from this table, in ${currency}.`,
  columns: { what: 'What', charged: 'Charged', listed: 'Listed', per: 'Per', id: 'Id', asked: 'Asked' },
  atLeast: (share: string, least: Html) => html`${share}, at least ${least}`,
  caption: (version: string) => `Prices, version ${version}`,
  nothing: 'Nothing is charged.',
  asked: 'What providers ask for names: a reference for asks, charged nowhere here',
  nothingAsked: 'Nothing is known.',
  membership: 'Buy a membership',
  feature: 'Feature a listing',
  perCall: html`A check that is charged per call is paid by a program, over x402: the answer to a call without payment says how, and <a href="/.well-known/x402">every price of it</a> stands in one list.`,
} as const;

/** What the page of the service's health says. */
export const HEALTH = {
  heading: 'Status',
  states: {
    ok: 'Everything answers.',
    degraded: 'It serves, and a part of it needs a person.',
    down: 'It cannot serve.',
    leaving: 'It serves until it ends, in a moment. Others go on.',
  },
  columns: { part: 'Part', state: 'State', told: 'What it says' },
  caption: 'Parts of the service',
  version: 'Version',
  up: 'Up for',
  /** Of the two largest parts alone. */
  upFor: (seconds: number) => {
    const parts = [
      [Math.floor(seconds / 86_400), 'day'],
      [Math.floor(seconds / 3_600) % 24, 'hour'],
      [Math.floor(seconds / 60) % 60, 'minute'],
      [Math.floor(seconds) % 60, 'second'],
    ] as const;
    const first = parts.findIndex(([count]) => count > 0);
    const shown = parts.slice(Math.max(first, 0)).slice(0, 2);
    return shown.map(([count, unit]) => `${count} ${count === 1 ? unit : `${unit}s`}`).join(', ');
  },
  latency: (ms: unknown) => `answers in ${ms} ms`,
  block: (block: unknown) => `at block ${block}`,
  waiting: (jobs: unknown) => `${jobs} waiting`,
  failed: (settlements: unknown) => `${settlements} failed settlements`,
} as const;
