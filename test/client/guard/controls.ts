import { handshake } from '../../../client/client.ts';
import type { GuardPolicy } from '../../../client/guard.ts';
import { HONEST, type MarketStage, type Sale, USDC } from './market-stage.ts';
import { documentOn } from './signed-documents.ts';

/** An honest purchase that a careless guard would stop. */
export interface Control {
  readonly name: string;
  readonly policy?: GuardPolicy;
  open(stage: MarketStage): void;
  /** What is asked for, one after the other; each must be paid. */
  readonly urls: readonly (string | ((stage: MarketStage) => string))[];
  readonly how?: { method?: 'GET' | 'POST'; body?: object };
}

const MARKET = 'api.market.test';
const SECOND = '0x5555555555555555555555555555555555555555';

const control = (
  name: string,
  sale: Sale | ((times: number) => Sale),
  more: Partial<Control> = {},
): Control => ({
  name,
  urls: [MARKET],
  open: (stage) => stage.open(MARKET, (_, times) => (typeof sale === 'function' ? sale(times) : sale)),
  ...more,
});
const twice = { urls: [MARKET, MARKET] };
const terms = (of: NonNullable<Sale['accepts']>[number]): Sale => ({ accepts: [of] });
const at = (host: string, name = `a host called ${host}`, policy?: GuardPolicy): Control => ({
  name,
  policy,
  urls: policy?.plaintext === false ? [host] : [MARKET, host],
  open: (stage) => {
    stage.open(MARKET, () => ({}));
    stage.open(host, () => ({}));
  },
});
const service = handshake('http://127.0.0.1:1', { patienceMs: 0 });

export const CONTROLS: readonly Control[] = [
  control('a cent', {}),
  control('the same twice', {}, twice),
  control(
    'as often as may be',
    {},
    { urls: [MARKET, MARKET, MARKET], policy: { repeats: { count: 3, seconds: 60 } } },
  ),
  control('a written request', {}, { how: { method: 'POST', body: { question: 'what is a look-alike?' } } }),
  control('a long written request', {}, { how: { method: 'POST', body: { text: 'x'.repeat(40_000) } } }),
  control('a tenth of a cent', terms({ amount: '1000' })),
  control('one unit', terms({ amount: '1' })),
  control('the most that may be', terms({ amount: '1000000' })),
  control("a most of one's own", terms({ amount: '2500000' }), { policy: { maxUsd: 2.5 } }),
  control('the price falls', (times) => terms({ amount: times === 0 ? '20000' : '10000' }), twice),
  control(
    'the price rises by as much as it may',
    (times) => terms({ amount: times === 0 ? '10000' : '12500' }),
    twice,
  ),
  control(
    'the price rises by as much as it may, to part of a percent',
    (times) => terms({ amount: times === 0 ? '10000' : '11250' }),
    { ...twice, policy: { drift: 12.5 } },
  ),
  control(
    'the price doubles, where that is allowed',
    (times) => terms({ amount: times === 0 ? '10000' : '20000' }),
    {
      ...twice,
      policy: { drift: 100 },
    },
  ),
  {
    name: 'another price for another question',
    urls: [`${MARKET}/data?rows=1`, `${MARKET}/data?rows=90`],
    open: (stage) =>
      stage.open(MARKET, ({ url }) => terms({ amount: url?.endsWith('90') ? '900000' : '10000' })),
  },
  {
    name: 'a higher price for no question than for one',
    urls: [`${MARKET}/data?rows=1`, `${MARKET}/data`],
    open: (stage) => stage.open(MARKET, ({ url }) => terms({ amount: url === '/data' ? '900000' : '10000' })),
  },
  {
    name: 'another payee on another path',
    urls: [`${MARKET}/a`, `${MARKET}/b`],
    open: (stage) => stage.open(MARKET, ({ url }) => (url === '/b' ? terms({ payTo: SECOND }) : {})),
  },
  control(
    'each payment goes elsewhere, where that is allowed',
    (times) => (times === 0 ? {} : terms({ payTo: SECOND })),
    {
      ...twice,
      policy: { anyPayee: true },
    },
  ),
  control('the pinned payee', {}, { policy: { payees: { [MARKET]: [HONEST] } } }),
  control(
    'the pinned payee, written in small letters',
    {},
    {
      policy: { payees: { [MARKET]: [HONEST.toLowerCase()] } },
    },
  ),
  control('the second of two pinned payees', terms({ payTo: SECOND }), {
    policy: { payees: { [MARKET]: [HONEST, SECOND] } },
  }),
  control(
    'the payee changes between two that are pinned',
    (times) => (times === 0 ? {} : terms({ payTo: SECOND })),
    {
      ...twice,
      policy: { payees: { [MARKET]: [HONEST, SECOND] } },
    },
  ),
  {
    name: 'two hosts with one payee',
    urls: [MARKET, 'weather.example'],
    open: (stage) => {
      stage.open(MARKET, () => ({}));
      stage.open('weather.example', () => ({}));
    },
  },
  control('a list of others who are not paid', {}, { policy: { deny: [SECOND] } }),
  control(
    'a payee that a kept record clears',
    {},
    {
      policy: { opinion: { service }, records: [documentOn(HONEST, 'CLEAN')] },
    },
  ),
  control(
    'a payee that a newer record clears',
    {},
    {
      policy: {
        opinion: { service },
        records: [
          documentOn(HONEST, 'FLAGGED', { hoursAgo: 9 }),
          documentOn(HONEST, 'CLEAN', { hoursAgo: 1 }),
        ],
      },
    },
  ),
  control(
    'a payee whom another chain flagged and this one clears',
    {},
    {
      policy: {
        opinion: { service },
        records: [
          documentOn(HONEST, 'FLAGGED', { hoursAgo: 9, chainId: 1 }),
          documentOn(HONEST, 'CLEAN', { hoursAgo: 1 }),
        ],
      },
    },
  ),
  control(
    'a payee whom another chain flagged and cleared',
    {},
    {
      policy: {
        opinion: { service },
        records: [
          documentOn(HONEST, 'CLEAN', { hoursAgo: 10 }),
          documentOn(HONEST, 'FLAGGED', { hoursAgo: 9, chainId: 1 }),
          documentOn(HONEST, 'CLEAN', { hoursAgo: 1, chainId: 1 }),
        ],
      },
    },
  ),
  control('a record flags somebody else', {}, { policy: { records: [documentOn(SECOND, 'FLAGGED')] } }),
  control(
    'a stranger signed that the payee is flagged',
    {},
    {
      policy: { records: [documentOn(HONEST, 'FLAGGED', { forged: 'signer' })] },
    },
  ),
  control('small enough that nobody is asked', {}, { policy: { opinion: { service, overUsd: 0.5 } } }),
  control(
    'nobody answers, where that is allowed',
    {},
    { policy: { opinion: { service, unanswered: 'pay' } } },
  ),
  at('weather.example'),
  at('maps.example'),
  at('blackmarketing.example', 'a longer word that holds the known one'),
  at('data.market.test', 'another host of the known owner'),
  at('eu.api.market.test', 'a host below the known one'),
  at('mare.example', 'a short name with the same beginning'),
  at('pocket.test', 'another name with the same ending'),
  at('supermarket.example', 'a known word at the end of a longer one'),
  at('xn--mnchen-3ya.example', 'a name in other letters that one has named', {
    lookAlikesOf: [MARKET, 'xn--mnchen-3ya.example'],
  }),
  at('api.markets.test', 'a look-alike that one has named', { hosts: [MARKET, 'api.markets.test'] }),
  at('api.market.test', 'the only host that is named', { hosts: [MARKET] }),
  at('127.0.0.1', 'this machine by its address'),
  at('localhost', 'this machine by its name', { plaintext: false, lookAlikesOf: [] }),
  {
    name: 'a redirect within one host',
    urls: [`${MARKET}/old`],
    open: (stage) =>
      stage.open(MARKET, ({ url }) =>
        url === '/old' ? { redirect: { to: stage.url(MARKET, '/new') } } : {},
      ),
  },
  control('the body repeats the challenge', { body: (challenge) => challenge }),
  control('the body repeats it among other things', {
    body: (challenge) => ({
      ...challenge,
      title: 'Payment is required',
      status: 402,
      code: 'payment-required',
    }),
  }),
  control('the body is a page', { body: () => '<html>Pay here</html>' }),
  control('the challenge names no URL', { resource: null }),
  {
    name: 'the challenge names the path alone of another address of the host',
    urls: [`${MARKET}/data?rows=3`],
    open: (stage) => stage.open(MARKET, () => ({ resource: stage.url(MARKET, '/data') })),
  },
  control('offers on other chains stand behind', {
    accepts: [
      {},
      { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', amount: '1' },
    ],
  }),
  control('a dearer offer stands behind', { accepts: [{}, { amount: '900000' }] }),
  control('the payment is valid as long as it may', terms({ maxTimeoutSeconds: 600 })),
  control('it says how the token is moved', {
    accepts: [{ extra: { name: 'USDC', version: '2', assetTransferMethod: 'eip3009' } }],
  }),
  control('it says more than is known', {
    accepts: [{ extra: { name: 'USDC', version: '2', note: 'for one request', rows: 3 } }],
  }),
  control("a token of one's own", {}, { policy: { assets: [{ network: 'eip155:84532', asset: USDC }] } }),
  control('a budget that is just enough', {}, { ...twice, policy: { budgetUsd: 0.02, hostUsd: 0.02 } }),
  {
    name: 'ten numbered hosts that one has named',
    urls: Array.from({ length: 10 }, (_, i) => `shop${i}.example`),
    policy: { hostUsd: 0.01, hosts: Array.from({ length: 10 }, (_, i) => `shop${i}.example`) },
    open: (stage) => {
      for (let i = 0; i < 10; i++) stage.open(`shop${i}.example`, () => ({}));
    },
  },
];
