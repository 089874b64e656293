import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, it, vi } from 'vitest';
import { recordTypedData } from '../../agents/records/eip712.ts';
import { makeRecord } from '../../agents/records/record.ts';
import { type Adviser, type GuardPolicy, guard } from '../guard.ts';

afterEach(() => void vi.unstubAllGlobals());

const REQUIREMENT = {
  ...{ scheme: 'exact', network: 'eip155:84532', amount: '10000', maxTimeoutSeconds: 60 },
  payTo: '0x7e57000000000000000000000000000000bad001',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
};
const SHOP = 'https://shop.example';
const EIGHT = Array.from({ length: 8 }, (_, n) => `/${n}`);

/** A seller that asks for all its URLs by one challenge, which names its root, and a program that buys step by step. */
function shop(policy: GuardPolicy = {}) {
  const guarded = guard(policy);
  const terms = { ...REQUIREMENT };
  /** What is answered to payments. */
  const answers = new Map<string, number>();
  /** Where other hosts lead. */
  const leads = new Map<string, string>();
  const challenge = () => ({ x402Version: 2, resource: { url: `${SHOP}/` }, accepts: [{ ...terms }] });
  vi.stubGlobal('fetch', async ({ url, headers }: Request) => {
    const status = headers.has('payment-signature') ? (answers.get(new URL(url).pathname) ?? 200) : 402;
    const asked = status === 402 ? { 'payment-required': btoa(JSON.stringify(challenge())) } : undefined;
    const response = new Response('{}', { status, headers: asked });
    return Object.defineProperty(response, 'url', { value: leads.get(url) ?? url });
  });
  let hook: (context: object) => Promise<unknown> = async () => null;
  guarded.attach({ onBeforePaymentCreation: (given) => (hook = given) });
  let payments = 0;
  const steps = {
    ask: async (path: string) => void (await guarded.fetch(new URL(path, SHOP))),
    async sign() {
      const paymentRequired = challenge();
      const [selectedRequirements] = paymentRequired.accepts;
      const stopped = await hook({ paymentRequired, selectedRequirements });
      return stopped === undefined ? 'signed' : guarded.refusals.at(-1)!.reason;
    },
    async pay(path: string) {
      payments += 1;
      const headers = { 'payment-signature': `payment ${payments}` };
      return (await guarded.fetch(new URL(path, SHOP), { headers })).status;
    },
    async buy(path: string) {
      await steps.ask(path);
      const told = await steps.sign();
      return told === 'signed' ? await steps.pay(path) : told;
    },
  };
  return { ...steps, guarded, terms, answers, leads };
}

/** Asks everywhere before anything is signed, as where another hook takes its time. */
async function buyAtOnce({ ask, sign, pay }: ReturnType<typeof shop>, paths: readonly string[]) {
  for (const path of paths) await ask(path);
  for (const _ of paths) expect(await sign()).toBe('signed');
  const paid: number[] = [];
  for (const path of paths) paid.push(await pay(path));
  return paid;
}

it('pays for nothing again that was bought at the same time and not served', async () => {
  const seller = shop();
  for (const path of EIGHT) seller.answers.set(path, 500);
  expect(await buyAtOnce(seller, EIGHT)).toEqual(EIGHT.map(() => 500));
  for (const path of EIGHT) expect(await seller.buy(path)).toBe('paid-already');
});

it.each([
  ['price', { amount: '900000' }, 'price-drift'],
  ['payee', { payTo: '0x00c0ffee254729296a45a3885639ac7e10f9d549' }, 'payee-changed'],
])('knows the %s of everything that was bought at the same time', async (_, change, reason) => {
  const seller = shop();
  await buyAtOnce(seller, EIGHT);
  Object.assign(seller.terms, change);
  for (const path of EIGHT) expect(await seller.buy(path)).toBe(reason);
});

it('forgets what it knows of one URL, and of no other that was bought at the same time', async () => {
  const seller = shop();
  await buyAtOnce(seller, EIGHT);
  seller.terms.amount = '900000';
  seller.guarded.forget(`${SHOP}/3`);
  expect(await seller.buy('/4')).toBe('price-drift');
  expect(await seller.buy('/3')).toBe(200);
});

it('takes what is bought at the same time for many things, and not for one again and again', async () => {
  const { ask, sign, pay } = shop();
  const paths = [...EIGHT, '/8', '/9', '/10', '/11'];
  for (const path of paths) {
    await ask(path);
    expect(await sign()).toBe('signed');
  }
  for (const path of paths) expect(await pay(path)).toBe(200);
});

const SERVICE = privateKeyToAccount(`0x${'22'.repeat(32)}`);
async function flagged(): Promise<object> {
  const { record, hash } = makeRecord({
    ...{ recordId: 'rec_1', kind: 'determination', subject: REQUIREMENT.payTo, summary: 'FLAGGED' },
    issuedAt: new Date(),
    content: { record: { verdict: 'FLAGGED', chainId: 84532 } },
  });
  const value = await SERVICE.signTypedData(recordTypedData(record, hash));
  const signature = { signer: SERVICE.address, value };
  return { recordId: 'rec_1', record, hash, signature, evidence: null, proof: null, ledger: null };
}

it('judges a payee anew after somebody has looked at any URL that was refused with it', async () => {
  const asked: string[] = [];
  const check = async (address: string) => {
    asked.push(address);
    return { verdict: 'FLAGGED' as const, recorded: { filed: true, recordId: 'rec_1' } };
  };
  const service: Adviser = { check, record: flagged };
  const { ask, sign, guarded } = shop({ opinion: { service }, signer: SERVICE.address });
  for (const path of ['/a', '/b']) await ask(path);
  for (const _ of [1, 2]) expect(await sign()).toBe('payee-flagged');
  const before = asked.length;
  guarded.forget(`${SHOP}/a`);
  await ask('/a');
  expect(await sign()).toBe('payee-flagged');
  expect(asked.length).toBe(before + 1);
});

it.each([500, 402])('buys another thing where one was paid for and answered %i', async (status) => {
  const { buy, answers } = shop();
  answers.set('/a', status);
  expect(await buy('/a')).toBe(status);
  expect(await buy('/b')).toBe(200);
  expect(await buy('/a')).toBe('paid-already');
  expect(await buy('/c')).toBe(200);
});

it('judges a request that waits for its signature while another of the same is paid', async () => {
  const { ask, sign, pay, answers } = shop();
  for (const path of ['/a', '/a']) await ask(path);
  expect(await sign()).toBe('signed');
  expect(await pay('/a')).toBe(200);
  expect(await sign()).toBe('signed');
  answers.set('/b', 500);
  for (const path of ['/b', '/b', '/c']) await ask(path);
  expect(await sign()).toBe('signed');
  expect(await pay('/b')).toBe(500);
  expect(await sign()).toBe('paid-already');
});

it('judges a request that was led elsewhere while the place that it was led to is paid', async () => {
  const { ask, sign, pay, leads } = shop();
  const passingOn = 'https://passing-on.example/';
  leads.set(passingOn, `${SHOP}/new`);
  await ask('/new');
  expect(await sign()).toBe('signed');
  for (const url of [passingOn, '/b']) await ask(url);
  expect(await pay('/new')).toBe(200);
  expect(await sign()).toBe('redirected');
});

it('judges what was not paid for yet while one payment is sent again and again', async () => {
  const { ask, sign, guarded, answers } = shop();
  answers.set('/a', 500);
  for (const path of ['/a', '/a', '/b']) await ask(path);
  expect(await sign()).toBe('signed');
  for (const _ of [1, 2])
    await guarded.fetch(`${SHOP}/a`, { headers: { 'payment-signature': 'the same payment' } });
  expect(await sign()).toBe('paid-already');
});
