import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, it, vi } from 'vitest';
import { recordTypedData } from '../agents/records/eip712.ts';
import { makeRecord } from '../agents/records/record.ts';
import { type Adviser, type GuardPolicy, guard } from './guard.ts';

afterEach(() => void vi.unstubAllGlobals());

const SERVICE = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const STRANGER = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR_MS = 3_600_000;
const PAYEE = '0x7e57000000000000000000000000000000bad001';
const REQUIREMENT = {
  ...{ scheme: 'exact', network: 'eip155:84532', amount: '10000', payTo: PAYEE, maxTimeoutSeconds: 60 },
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
};

async function documentOn(
  verdict: string,
  { hoursAgo = 0, by = SERVICE, outcome = 'FLAG' } = {},
): Promise<object> {
  const { record, hash } = makeRecord({
    ...{ recordId: 'rec_1', kind: 'determination', subject: PAYEE, summary: verdict },
    issuedAt: new Date(NOW - hoursAgo * HOUR_MS),
    content: { record: { verdict, chainId: 84532, evidence: { checks: [{ outcome }] } } },
  });
  const signature = { signer: by.address, value: await by.signTypedData(recordTypedData(record, hash)) };
  return { recordId: 'rec_1', record, hash, signature, evidence: null, proof: null, ledger: null };
}

/** A service that gives a verdict, and what it serves as its record. */
const service = (verdict: 'CLEAN' | 'FLAGGED', record: () => Promise<unknown>): Adviser => ({
  check: async () => ({ verdict, recorded: { filed: true, recordId: 'rec_1' } }),
  record,
});
const unreadable = () => Promise.reject(new Error('it answered 503'));
const away: Adviser = { check: unreadable, record: unreadable };

/** What becomes of a cent for the payee. */
async function outcome(opinion: GuardPolicy['opinion'], policy: GuardPolicy = {}) {
  const careful = guard({ signer: SERVICE.address, now: () => NOW, opinion, ...policy });
  let hook: (context: object) => Promise<unknown> = async () => null;
  careful.attach({ onBeforePaymentCreation: (given) => (hook = given) });
  const resource = { url: 'https://shop.example/data' };
  const paymentRequired = { x402Version: 2, resource, accepts: [REQUIREMENT] };
  await hook({ paymentRequired, selectedRequirements: REQUIREMENT });
  const [refusal] = careful.refusals;
  return refusal === undefined ? 'paid' : `${refusal.reason}: ${refusal.says}`;
}

it.each([
  ['which is too old', () => documentOn('CLEAN', { hoursAgo: 25 }), 'its record is too old'],
  ['which cannot be read', unreadable, 'it answered 503'],
  ['which somebody else signed', () => documentOn('CLEAN', { by: STRANGER }), 'its record does not hold'],
])('pays nobody on an answer by a record %s, even where no answer is enough', async (_, record, why) => {
  for (const unanswered of ['stop', 'pay'] as const) {
    const said = await outcome({ service: service('CLEAN', record), unanswered });
    expect(said).toContain('payee-unjudged');
    expect(said).toContain(why);
  }
});

it('takes a verdict that is as old as the policy lets it be', async () => {
  const opinion = { service: service('CLEAN', () => documentOn('CLEAN', { hoursAgo: 25 })) };
  expect(await outcome(opinion, { verdictHours: 26 })).toBe('paid');
});

it.each([
  ['holds', () => documentOn('FLAGGED', { hoursAgo: 25 })],
  ['cannot be read', unreadable],
  ['somebody else signed', () => documentOn('FLAGGED', { by: STRANGER })],
  ['says another thing', () => documentOn('CLEAN')],
])('pays nobody whom the service flags, where its record %s', async (_, record) => {
  for (const unanswered of ['stop', 'pay'] as const)
    expect(await outcome({ service: service('FLAGGED', record), unanswered })).toContain('payee-flagged');
});

it('takes an answer that is filed under no record as no answer, unless it warns', async () => {
  const check = (verdict: 'CLEAN' | 'FLAGGED') => async () => ({ verdict, recorded: { filed: false } });
  const by = (verdict: 'CLEAN' | 'FLAGGED') => ({ check: check(verdict), record: unreadable });
  expect(await outcome({ service: by('CLEAN'), unanswered: 'pay' })).toBe('paid');
  expect(await outcome({ service: by('CLEAN') })).toContain('payee-unjudged');
  expect(await outcome({ service: by('FLAGGED'), unanswered: 'pay' })).toContain('payee-flagged');
});

it('pays where nobody answers only if the policy says so', async () => {
  expect(await outcome({ service: away, unanswered: 'pay' })).toBe('paid');
  expect(await outcome({ service: away })).toContain('payee-unjudged');
});

it.each(['shop.example', 'shop.example:443', 'https://shop.example', 'Shop.Example.'])(
  'pays nobody but whom a pin names, where it is written %s',
  async (host) => {
    expect(await outcome(undefined, { payees: { [host]: [STRANGER.address] } })).toContain(
      'payee-not-pinned',
    );
    expect(await outcome(undefined, { payees: { [host]: [PAYEE] } })).toBe('paid');
    expect(await outcome(undefined, { hosts: [host] })).toBe('paid');
    expect(await outcome(undefined, { lookAlikesOf: [host] })).toBe('paid');
  },
);

it('pays no host but those that it is given, and every host where it is given none', async () => {
  const unnamed = 'host-not-allowed: shop.example is none of the hosts named';
  expect(await outcome(undefined, { hosts: ['api.market.example'], maxUsd: 0.5 })).toBe(unnamed);
  expect(await outcome(undefined, { hosts: [], lookAlikesOf: ['shop.example'] })).toBe(unnamed);
  expect(await outcome(undefined, { hosts: ['market.example'], payees: { 'shop.example': [PAYEE] } })).toBe(
    'paid',
  );
  expect(await outcome(undefined)).toBe('paid');
});

it('refuses what looks like a known host without refusing others', async () => {
  expect(await outcome(undefined, { lookAlikesOf: ['shops.example'] })).toContain('host-look-alike');
  expect(await outcome(undefined, { lookAlikesOf: ['api.market.example'] })).toBe('paid');
});

it('pays by the pin for a port before the one for every port, in whichever order they stand', async () => {
  const pins = Object.entries({ 'shop.example': [STRANGER.address], 'shop.example:443': [PAYEE] });
  for (const entries of [pins, pins.toReversed()])
    expect(await outcome(undefined, { payees: Object.fromEntries(entries) })).toBe('paid');
});

it('takes no policy that would not hold what it says', () => {
  for (const policy of [
    { payees: { '*.shop.example': [PAYEE] } },
    { hosts: ['a shop'] },
    { lookAlikesOf: ['a shop'] },
    { drift: Number.NaN },
    { host: ['shop.example'] } as GuardPolicy,
  ])
    expect(() => guard(policy)).toThrow(TypeError);
});

it.each([
  ['a browser', true, 'redirected'],
  ['Node', false, 'paid'],
])(
  'signs for no URL that leads elsewhere where no payment could follow: in %s',
  async (_, isBrowser, told) => {
    const challenge = { x402Version: 2, accepts: [REQUIREMENT] };
    const headers = { 'payment-required': btoa(JSON.stringify(challenge)) };
    vi.stubGlobal('fetch', async () =>
      Object.defineProperties(new Response('{}', { status: 402, headers }), {
        url: { value: 'https://shop.example/new' },
        redirected: { value: true },
      }),
    );
    if (isBrowser) vi.stubGlobal('document', {});
    const careful = guard({ now: () => NOW });
    let hook: (context: object) => Promise<unknown> = async () => null;
    careful.attach({ onBeforePaymentCreation: (given) => (hook = given) });
    await careful.fetch('https://shop.example/old');
    await hook({ paymentRequired: challenge, selectedRequirements: REQUIREMENT });
    expect(careful.refusals[0]?.reason ?? 'paid').toBe(told);
  },
);

it.each([
  ['another path', 'https://shop.example/old', true],
  ['another host', 'https://passing-on.example/', false],
])('signs for who is asked at once, after %s led there and was refused', async (_, elsewhere, isBrowser) => {
  const shop = 'https://shop.example/new';
  const challenge = { x402Version: 2, resource: { url: shop }, accepts: [REQUIREMENT] };
  const headers = { 'payment-required': btoa(JSON.stringify(challenge)) };
  vi.stubGlobal('fetch', async ({ url }: Request) =>
    Object.defineProperties(new Response('{}', { status: 402, headers }), {
      url: { value: shop },
      redirected: { value: url !== shop },
    }),
  );
  if (isBrowser) vi.stubGlobal('document', {});
  const careful = guard({ now: () => NOW });
  let hook: (context: object) => Promise<unknown> = async () => null;
  careful.attach({ onBeforePaymentCreation: (given) => (hook = given) });
  const sign = async () =>
    (await hook({ paymentRequired: challenge, selectedRequirements: REQUIREMENT })) ?? 'signed';
  // Who asked there at the same time gets no signature either.
  for (const url of [shop, elsewhere]) await careful.fetch(url);
  for (const _hook of [1, 2]) expect(await sign()).not.toBe('signed');
  await careful.fetch(shop);
  expect(await sign()).toBe('signed');
  expect(careful.refusals.map(({ reason }) => reason)).toEqual(['redirected', 'redirected']);
});

it('forgets the oldest refusals: whoever was refused there stays refused', async () => {
  const { buy, careful } = await flaggedOnce('FLAG', answering);
  const at = (n: number) => `https://shop.example/data?row=${n}`;
  for (let n = 1; n <= 1_001; n++) await buy(0, '10000', at(n));
  careful.forget(at(1));
  expect(await buy(0)).toEqual(['payee-flagged', 1]);
  careful.forget(at(1_001));
  expect(await buy(0)).toEqual(['paid', 2]);
});

/** A guard whose service FLAGGED the payee, and says another thing from then on. */
async function flaggedOnce(outcome: string, later: () => Promise<unknown>) {
  let [hours, asked] = [0, 0];
  const service: Adviser = {
    async check() {
      asked += 1;
      if (asked > 1) await later();
      return { verdict: asked > 1 ? 'CLEAN' : 'FLAGGED', recorded: { filed: true, recordId: 'rec_1' } };
    },
    record: () => documentOn(asked > 1 ? 'CLEAN' : 'FLAGGED', { hoursAgo: -hours, outcome }),
  };
  const opinion = { service, unanswered: 'pay' as const, overUsd: 0.01 };
  const careful = guard({ signer: SERVICE.address, now: () => NOW + hours * HOUR_MS, opinion });
  let hook: (context: object) => Promise<unknown> = async () => null;
  careful.attach({ onBeforePaymentCreation: (given) => (hook = given) });
  return {
    careful,
    async buy(after: number, amount = '10000', url = 'https://shop.example/data?row=1') {
      hours = after;
      const terms = { ...REQUIREMENT, amount };
      const given = { paymentRequired: { x402Version: 2, resource: { url }, accepts: [terms] } };
      const stopped = await hook({ ...given, selectedRequirements: terms });
      return [stopped === undefined ? 'paid' : careful.refusals.at(-1)!.reason, asked];
    },
  };
}
const answering = async () => {};

it('asks again about whom the service flagged, once that is older than a verdict may be', async () => {
  const { buy } = await flaggedOnce('FLAG', answering);
  expect(await buy(0)).toEqual(['payee-flagged', 1]);
  expect(await buy(23)).toEqual(['payee-flagged', 1]);
  expect(await buy(24, '5000')).toEqual(['paid', 2]);
  expect(await buy(25, '5000')).toEqual(['paid', 2]);
});

it('asks again minutes later where a payee could merely not be judged', async () => {
  const { buy } = await flaggedOnce('INCONCLUSIVE', answering);
  expect(await buy(0)).toEqual(['payee-flagged', 1]);
  expect(await buy(0.05)).toEqual(['payee-flagged', 1]);
  expect(await buy(0.1)).toEqual(['paid', 2]);
});

it('asks again about whom the service flagged, once somebody has looked', async () => {
  const { buy, careful } = await flaggedOnce('FLAG', answering);
  expect(await buy(0)).toEqual(['payee-flagged', 1]);
  careful.forget('https://shop.example/other');
  expect(await buy(1)).toEqual(['payee-flagged', 1]);
  careful.forget('https://shop.example/data');
  expect(await buy(1)).toEqual(['payee-flagged', 1]);
  careful.forget('https://shop.example/data?row=1');
  expect(await buy(1)).toEqual(['paid', 2]);
});

it('holds on to a warning while nobody answers, also where no answer is enough', async () => {
  const { buy } = await flaggedOnce('FLAG', unreadable);
  expect(await buy(0)).toEqual(['payee-flagged', 1]);
  expect(await buy(30)).toEqual(['payee-flagged', 2]);
});
