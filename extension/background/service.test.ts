import { encodePaymentRequiredHeader } from '@x402/core/http';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

const SERVICE = 'https://service.example';
const CLEAN = { verdict: 'CLEAN', reasons: [] };
const TERMS = encodePaymentRequiredHeader({
  x402Version: 2,
  resource: { url: `${SERVICE}/determination` },
  accepts: [
    {
      ...{ scheme: 'exact', network: 'eip155:84532', amount: '10000', maxTimeoutSeconds: 300 },
      ...{ asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', payTo: `0x${'ee'.repeat(20)}` },
      extra: { name: 'USDC', version: '2' },
    },
  ],
});

const stored = new Map<string, unknown>();
let payments: (string | null)[] = [];
let answers: (Response | Error)[] = [];

/** A service whose next answers to a payment are these, and which answers whatever else is paid for. */
async function answering(request: Request): Promise<Response> {
  const payment = request.headers.get('payment-signature');
  payments.push(payment);
  if (payment === null) return new Response('{}', { status: 402, headers: { 'payment-required': TERMS } });
  const answer = answers.shift() ?? Response.json(CLEAN);
  if (answer instanceof Error) throw answer;
  return answer;
}

beforeAll(() => {
  vi.stubGlobal('BUILT_FOR', { service: SERVICE, signer: null });
  // As the browser keeps it: by value.
  const area = {
    get: async (key: string) => (stored.has(key) ? { [key]: structuredClone(stored.get(key)) } : {}),
    set: async (items: object) =>
      Object.entries(items).forEach(([key, value]) => void stored.set(key, structuredClone(value))),
  };
  vi.stubGlobal('chrome', { storage: { local: area, session: area } });
  vi.stubGlobal('fetch', answering);
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  stored.clear();
  stored.set('settings', { service: SERVICE, dailyBudgetMicro: '20000' });
  payments = [];
  vi.resetModules();
});

/** Asks about somebody, by the extension's process as it is now. */
const ask = async (address: string) =>
  await (await import('./service.ts')).buyDetermination({ address, chainId: 84532, origin: 'shop.example' });

it('pays once for a question whose answer was lost, and anew for another one', async () => {
  const cutOff = new ReadableStream({ start: (body) => body.error(new TypeError('cut off')) });
  answers = [new TypeError('timed out'), new Response('{}', { status: 503 }), new Response(cutOff)];
  expect(await ask('0xaa')).toContain('timed out');
  expect(await ask('0xaa')).toBe('the service answered 503');
  expect(await ask('0xaa')).toContain('cut off');
  expect(await ask('0xaa')).toEqual(CLEAN);
  const [unpaid, first, ...again] = payments;
  expect([unpaid, again]).toEqual([null, [first, first, first]]);
  expect(stored.get('spent')).toMatchObject({ micro: '10000' });

  payments = [];
  expect(await ask('0xbb')).toEqual(CLEAN);
  expect(payments).toEqual([null, expect.any(String)]);
  expect(payments[1]).not.toBe(first);
  expect(await ask('0xaa')).toBe('today’s budget for paid checks is used up');
});

it('pays once for a question whose answer was lost before the browser ended the process', async () => {
  answers = [new TypeError('timed out')];
  expect(await ask('0xaa')).toContain('timed out');
  vi.resetModules();
  expect(await ask('0xaa')).toEqual(CLEAN);
  expect(payments).toEqual([null, payments[1], payments[1]]);
  vi.resetModules();
  expect(await ask('0xaa')).toEqual(CLEAN);
  expect(payments.slice(3)).toEqual([null, expect.any(String)]);
});

it('pays once for a question that something between answered', async () => {
  answers = [
    new Response('404 page not found', { status: 404 }),
    new Response('<h1>Welcome to the hotel</h1>'),
    Response.json({ message: 'Forbidden' }, { status: 403 }),
  ];
  expect(await ask('0xaa')).toBe('the service answered 404');
  expect(await ask('0xaa')).toContain('it could not be bought');
  expect(await ask('0xaa')).toBe('the service answered 403');
  expect(await ask('0xaa')).toEqual(CLEAN);
  expect(payments).toEqual([null, ...Array(4).fill(payments[1])]);
});

it('pays once for the same question at the same time', async () => {
  expect(await Promise.all([ask('0xaa'), ask('0xaa')])).toEqual([CLEAN, CLEAN]);
  expect(payments).toEqual([null, expect.any(String)]);
});
