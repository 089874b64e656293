import { type Hex, zeroAddress } from 'viem';
import { handshake } from '../../../client/client.ts';
import type { GuardPolicy, Reason } from '../../../client/guard.ts';
import { HONEST, type Kind, type MarketStage, USDC } from './market-stage.ts';
import { documentOn } from './signed-documents.ts';

/** One way to take more from a payer than they meant to give, or to give it to somebody else. */
export interface Attack {
  readonly name: string;
  readonly reason: Reason;
  /** Policy beside the one that every test has. */
  readonly policy?: GuardPolicy;
  /** Opens the sellers. */
  open(stage: MarketStage): void;
  /** Purchases before it that are honest, each of which must go through. */
  readonly before?: readonly string[];
  /** What the payer is made to ask for. */
  readonly url: string | ((stage: MarketStage) => string);
  readonly how?: { method?: 'GET' | 'POST'; body?: object };
  /** Clients on which it works; both when left out. */
  readonly kinds?: readonly Kind[];
  /** What somebody between the answer and the client makes of the challenge. */
  readonly meddle?: (header: string) => string;
}

export const THIEF: Hex = '0x7e57000000000000000000000000000000bad001';
const OTHER: Hex = '0x00c0ffee254729296a45a3885639ac7e10f9d549';
const MARKET = 'api.market.test';
/** Ends like the honest payee: what an attacker computes, so that people take one for the other. */
const ALIKE = `0x${HONEST.slice(2, 7)}${'a'.repeat(29)}${HONEST.slice(-6)}` as Hex;
const honest = (stage: MarketStage, host = MARKET) => stage.open(host, () => ({}));
const thief = (stage: MarketStage, host: string) => stage.open(host, () => ({ accepts: [{ payTo: THIEF }] }));
const pinned = { payees: { [MARKET]: [HONEST] } };

const selling = (
  name: string,
  reason: Reason,
  terms: NonNullable<ReturnType<Parameters<MarketStage['open']>[1]>['accepts']>[number],
  more: Partial<Attack> = {},
): Attack => ({
  name,
  reason,
  url: MARKET,
  open: (stage) => stage.open(MARKET, () => ({ accepts: [terms] })),
  ...more,
});

/** The second purchase is on other terms than the first. */
const later = (name: string, reason: Reason, terms: object, more: Partial<Attack> = {}): Attack => ({
  name,
  reason,
  url: MARKET,
  before: [MARKET],
  open: (stage) => stage.open(MARKET, (_, times) => (times === 0 ? {} : { accepts: [terms] })),
  ...more,
});

const host = (name: string, reason: Reason, at: string, more: Partial<Attack> = {}): Attack => ({
  name,
  reason,
  url: at,
  open: (stage) => {
    honest(stage);
    thief(stage, at);
  },
  ...more,
});

/** The second purchase is on other terms than the first, at a place to which the same URL did not lead before. */
const elsewhere = (name: string, reason: Reason, terms: object, more: Partial<Attack> = {}): Attack => ({
  name,
  reason,
  url: MARKET,
  before: [MARKET],
  open: (stage) => {
    let asked = 0;
    stage.open(MARKET, ({ url }) => {
      // A purchase asks twice: what it costs, and with the payment.
      if (url === '/data') return { redirect: { to: `/to/${++asked}` } };
      return asked <= 2 ? {} : { accepts: [terms] };
    });
  },
  ...more,
});

const payees: Attack[] = [
  selling('a known host asks for another payee', 'payee-not-pinned', { payTo: THIEF }, { policy: pinned }),
  later('the payee changes after a purchase', 'payee-changed', { payTo: THIEF }),
  elsewhere('the payee changes at a place of its own', 'payee-changed', { payTo: THIEF }),
  selling('the payee looks like the one pinned', 'payee-look-alike', { payTo: ALIKE }, { policy: pinned }),
  {
    name: 'another host asks for a payee that looks like one who was paid',
    reason: 'payee-look-alike',
    before: [MARKET],
    url: 'weather.example',
    open: (stage) => {
      honest(stage);
      stage.open('weather.example', () => ({ accepts: [{ payTo: ALIKE }] }));
    },
  },
  selling('the payee is the zero address', 'payee-malformed', { payTo: zeroAddress }),
  selling('the payee is a burn address', 'payee-malformed', {
    payTo: '0x000000000000000000000000000000000000dEaD',
  }),
  selling('the payee is a precompile', 'payee-malformed', { payTo: `0x${'1'.padStart(40, '0')}` }),
  selling('the payee is the token itself', 'payee-malformed', { payTo: USDC }),
  selling('the payee is on the own list', 'payee-denied', { payTo: THIEF }, { policy: { deny: [THIEF] } }),
  selling(
    'the payee is on the own list, in other letters',
    'payee-denied',
    { payTo: THIEF },
    {
      policy: { deny: [`0x${THIEF.slice(2).toUpperCase()}`] },
    },
  ),
  selling(
    'a kept record flags the payee',
    'payee-flagged',
    { payTo: THIEF },
    {
      policy: { records: [documentOn(THIEF, 'FLAGGED')] },
    },
  ),
  selling(
    'a kept record of long ago flags the payee',
    'payee-flagged',
    { payTo: THIEF },
    {
      policy: { records: [documentOn(THIEF, 'FLAGGED', { hoursAgo: 900 })] },
    },
  ),
  selling(
    'a kept record of another chain flags the payee',
    'payee-flagged',
    { payTo: THIEF },
    {
      policy: { records: [documentOn(THIEF, 'FLAGGED', { chainId: 1 })] },
    },
  ),
  selling(
    'a newer record of a third chain clears whom one of another chain flags',
    'payee-flagged',
    { payTo: THIEF },
    {
      policy: {
        records: [
          documentOn(THIEF, 'FLAGGED', { hoursAgo: 5, chainId: 1 }),
          documentOn(THIEF, 'CLEAN', { hoursAgo: 1, chainId: 10 }),
        ],
      },
    },
  ),
  selling(
    'a newer record flags whom an older one cleared',
    'payee-flagged',
    { payTo: THIEF },
    {
      policy: {
        records: [documentOn(THIEF, 'FLAGGED', { hoursAgo: 1 }), documentOn(THIEF, 'CLEAN', { hoursAgo: 5 })],
      },
    },
  ),
];

/** Nothing listens there: what is then known of a payee is what is kept. */
const service = handshake('http://127.0.0.1:1', { patienceMs: 0 });
const judged: Attack[] = [
  selling(
    'nobody can be asked about the payee',
    'payee-unjudged',
    { payTo: THIEF },
    {
      policy: { opinion: { service } },
    },
  ),
  selling(
    'a record that somebody else signed clears the payee',
    'payee-unjudged',
    { payTo: THIEF },
    {
      policy: { opinion: { service }, records: [documentOn(THIEF, 'CLEAN', { forged: 'signer' })] },
    },
  ),
  selling(
    'a record with a changed verdict clears the payee',
    'payee-unjudged',
    { payTo: THIEF },
    {
      policy: { opinion: { service }, records: [documentOn(THIEF, 'CLEAN', { forged: 'verdict' })] },
    },
  ),
  selling(
    'a record that is too old clears the payee',
    'payee-unjudged',
    { payTo: THIEF },
    {
      policy: { opinion: { service }, records: [documentOn(THIEF, 'CLEAN', { hoursAgo: 48 })] },
    },
  ),
  selling(
    'a record of another chain clears the payee',
    'payee-unjudged',
    { payTo: THIEF },
    {
      policy: { opinion: { service }, records: [documentOn(THIEF, 'CLEAN', { chainId: 1 })] },
    },
  ),
  selling(
    'a record that names no chain clears the payee',
    'payee-unjudged',
    { payTo: THIEF },
    {
      policy: { opinion: { service }, records: [documentOn(THIEF, 'CLEAN', { chainId: null })] },
    },
  ),
  selling(
    'a record about somebody else is kept',
    'payee-unjudged',
    { payTo: THIEF },
    {
      policy: { opinion: { service }, records: [documentOn(OTHER, 'CLEAN')] },
    },
  ),
];

const amounts: Attack[] = [
  selling('another token is asked for', 'asset-not-allowed', { asset: OTHER }),
  selling('the token looks like the dollar', 'asset-not-allowed', {
    asset: `${USDC.slice(0, 12)}${'0'.repeat(20)}${USDC.slice(-10)}`,
  }),
  selling("another chain's dollar is asked for", 'asset-not-allowed', {
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  }),
  selling('a chain that is not allowed is asked for', 'asset-not-allowed', { network: 'eip155:5042' }),
  selling('the price is above the most', 'over-max', { amount: '5000000' }),
  selling('the price is one unit above the most', 'over-max', { amount: '1000001' }),
  selling('the amount is hexadecimal', 'amount-malformed', { amount: '0xf4240' }),
  selling('the amount has a space', 'amount-malformed', { amount: ' 900000' }),
  selling('the amount begins with zeros', 'amount-malformed', { amount: '000900000' }),
  selling('a signature for nothing is asked for', 'amount-malformed', { amount: '0' }),
  {
    name: 'the dearer of two equal offers stands first',
    reason: 'dearer-than-offered',
    url: MARKET,
    open: (stage) => stage.open(MARKET, () => ({ accepts: [{ amount: '900000' }, { amount: '10000' }] })),
  },
  later('the price doubles', 'price-drift', { amount: '20000' }),
  elsewhere('the price doubles at a place of its own', 'price-drift', { amount: '20000' }),
  elsewhere(
    'each purchase of a loop is led elsewhere',
    'repeated',
    {},
    {
      policy: { repeats: { count: 1, seconds: 60 } },
    },
  ),
  later(
    'the price rises by less than a percent too much',
    'price-drift',
    { amount: '11251' },
    {
      policy: { drift: 12.5 },
    },
  ),
  later('the price creeps past what it may', 'price-drift', { amount: '12501' }),
  later('the price leaps to just below the most', 'price-drift', { amount: '999999' }),
  {
    name: 'the price rises to that of another question',
    reason: 'price-drift',
    before: [`${MARKET}/data`, `${MARKET}/data?rows=90`],
    url: `${MARKET}/data`,
    open: (stage) =>
      stage.open(MARKET, ({ url }, times) =>
        url === '/data' && times === 0 ? {} : { accepts: [{ amount: '900000' }] },
      ),
  },
  {
    name: 'many small purchases drain what one host may have',
    reason: 'over-host-budget',
    policy: { hostUsd: 0.03 },
    before: ['/a', '/b', '/c'].map((path) => MARKET + path),
    url: `${MARKET}/d`,
    open: (stage) => honest(stage),
  },
  {
    name: 'one owner drains it by many ports and paths of one name',
    reason: 'over-host-budget',
    policy: { hostUsd: 0.02 },
    before: [`${MARKET}/a?x=1`, `${MARKET}/a?x=2`],
    url: `${MARKET}/a?x=3`,
    open: (stage) => honest(stage),
  },
  {
    name: 'many hosts drain the whole budget',
    reason: 'over-budget',
    policy: { budgetUsd: 0.03 },
    before: ['alpha.example', 'bravo.example', 'delta.example'],
    url: 'foxtrot.example',
    open: (stage) => {
      for (const at of ['alpha.example', 'bravo.example', 'delta.example', 'foxtrot.example'])
        honest(stage, at);
    },
  },
  {
    name: 'a program is made to pay for one thing in a loop',
    reason: 'repeated',
    policy: { repeats: { count: 3, seconds: 60 } },
    before: [MARKET, MARKET, MARKET],
    url: MARKET,
    open: (stage) => honest(stage),
  },
];

const hosts: Attack[] = [
  host('two letters look like one', 'host-look-alike', 'api.rnarket.test'),
  host('a digit stands for a letter', 'host-look-alike', 'api.m4rket.test'),
  host('a letter is left out', 'host-look-alike', 'api.markt.test'),
  host('a letter is added', 'host-look-alike', 'api.markets.test'),
  host('two letters are swapped', 'host-look-alike', 'api.makret.test'),
  host('a letter is another', 'host-look-alike', 'api.narket.test'),
  host('the name has another ending', 'host-look-alike', 'api.market.example'),
  host('the known name stands before a stranger', 'host-look-alike', `${MARKET}.pay.example`),
  host('the known name stands within another by hyphens', 'host-look-alike', 'pay-market.example'),
  host('a hyphen parts the known name', 'host-look-alike', 'api.mar-ket.test'),
  host('letters of another script', 'host-look-alike', 'api.xn--mrket-gra.test'),
  host('it looks like a host that was only paid before', 'host-look-alike', 'voyaqer.example', {
    before: ['voyager.example'],
    open: (stage) => {
      honest(stage, 'voyager.example');
      thief(stage, 'voyaqer.example');
    },
  }),
  host('a host that nobody named, where only named ones are paid', 'host-not-allowed', 'weather.example', {
    policy: { hosts: [MARKET] },
  }),
  host('a host without a name', 'host-disguised', '0.0.0.0'),
  host('a name that begins like the address of this machine', 'plaintext', '127.0.0.1.pay.example', {
    policy: { plaintext: false },
  }),
  host('a look-alike begins like the address of this machine', 'host-look-alike', '127.api.rnarket.test'),
  host('the known name is a user name', 'host-disguised', 'pay.example', {
    kinds: ['axios'],
    url: (stage) => `http://${MARKET}@pay.example:${stage.port}/data`,
  }),
  selling('anybody between could answer', 'plaintext', {}, { policy: { plaintext: false } }),
];

const redirected = (name: string, to: string, status: number, how?: Attack['how']): Attack => ({
  name,
  reason: 'redirected',
  url: MARKET,
  how,
  open: (stage) => {
    stage.open(MARKET, () => ({ redirect: { to: stage.url(to), status } }));
    thief(stage, to);
  },
});

const swap = (header: string, change: (terms: Record<string, unknown>) => void): string => {
  const challenge = JSON.parse(Buffer.from(header, 'base64').toString());
  change(challenge.accepts[0]);
  return Buffer.from(JSON.stringify(challenge)).toString('base64');
};

const challenges: Attack[] = [
  redirected('a redirect leads to a stranger', 'pay.example', 302),
  redirected('a permanent redirect leads to a stranger', 'pay.example', 301),
  redirected('a redirect of a write leads to a stranger', 'pay.example', 307, { method: 'POST', body: {} }),
  redirected('a redirect leads to a look-alike', 'api.rnarket.test', 308),
  {
    name: 'a stranger passes on the challenge of a known host',
    reason: 'resource-elsewhere',
    url: 'weather.example',
    open: (stage) => stage.open('weather.example', () => ({ resource: stage.url(MARKET) })),
  },
  {
    name: 'the challenge is for no URL',
    reason: 'resource-elsewhere',
    url: MARKET,
    open: (stage) => stage.open(MARKET, () => ({ resource: 'the data that you wanted' })),
  },
  {
    name: 'the body names an honest payee and the header a thief',
    reason: 'challenge-changed',
    url: MARKET,
    open: (stage) =>
      stage.open(MARKET, () => ({
        accepts: [{ payTo: THIEF }],
        body: (challenge) => ({ ...challenge, accepts: [{ ...challenge.accepts[0], payTo: HONEST }] }),
      })),
  },
  {
    name: 'the body names a small price and the header a large one',
    reason: 'challenge-changed',
    url: MARKET,
    open: (stage) =>
      stage.open(MARKET, () => ({
        accepts: [{ amount: '900000' }],
        body: (challenge) => ({ ...challenge, accepts: [{ ...challenge.accepts[0], amount: '1' }] }),
      })),
  },
  {
    ...selling('the payee is swapped on the way to the client', 'challenge-unseen', {}),
    meddle: (header) => swap(header, (terms) => Object.assign(terms, { payTo: THIEF })),
  },
  {
    ...selling('the price is swapped on the way to the client', 'challenge-unseen', {}),
    meddle: (header) => swap(header, (terms) => Object.assign(terms, { amount: '900000' })),
  },
  selling('the payment would stay valid for a year', 'terms-odd', { maxTimeoutSeconds: 31_536_000 }),
  selling('an allowance is asked for', 'terms-odd', {
    extra: { name: 'USDC', version: '2', assetTransferMethod: 'permit2' },
  }),
  selling('the money is asked for before the answer', 'terms-odd', {
    extra: { name: 'USDC', version: '2', paymentFlow: 'upfront' },
  }),
  selling('the name of the token is a speech', 'terms-odd', {
    extra: { name: 'Sign this to keep your account, '.repeat(9), version: '2' },
  }),
];

export const ATTACKS: readonly Attack[] = [payees, judged, amounts, hosts, challenges].flat();
