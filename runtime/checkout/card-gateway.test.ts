import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { createCardGateway, toCents, verifyWebhook } from './card-gateway.ts';

const NOW = new Date('2026-09-06T12:00:00Z');
const SECRET = 'whsec_current';

const payload = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'checkout.session.completed',
  data: {
    object: {
      id: 'cs_1',
      object: 'checkout.session',
      amount_total: 500,
      currency: 'usd',
      payment_status: 'paid',
      metadata: { checkout_id: 'co_1' },
    },
  },
});

const signed = (secondsFromNow: number, secret = SECRET, body = payload) =>
  Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret,
    timestamp: NOW.getTime() / 1000 + secondsFromNow,
  });

const verify = (header: string | undefined, body = payload, secrets = [SECRET]) =>
  verifyWebhook(Buffer.from(body), header, secrets, NOW);

const REFUSED = expect.objectContaining({ code: 'webhook-signature-invalid' });

describe('a webhook', () => {
  it.each([-300, -1, 0, 1, 300])('is read when it is stamped %i seconds from now', (seconds) => {
    expect(verify(signed(seconds))).toMatchObject({
      eventId: 'evt_1',
      checkoutId: 'co_1',
      amountMicro: 5_000_000n,
    });
  });

  it.each([-86_400, -301, 301, 86_400])('is refused when it is stamped %i seconds from now', (seconds) => {
    expect(() => verify(signed(seconds))).toThrow(REFUSED);
  });

  it('is read under either secret while one is being rotated, and under no third', () => {
    const secrets = ['whsec_next', SECRET];
    expect(verify(signed(0), payload, secrets).eventId).toBe('evt_1');
    expect(verify(signed(0, 'whsec_next'), payload, secrets).eventId).toBe('evt_1');
    expect(() => verify(signed(0, 'whsec_gone'), payload, secrets)).toThrow(REFUSED);
    expect(() => verify(signed(0), payload, [])).toThrow(REFUSED);
  });

  it('is refused when one byte of the body differs', () => {
    const header = signed(0);
    expect(() => verify(header, payload.replace('500', '501'))).toThrow(REFUSED);
    expect(() => verify(header, `${payload} `)).toThrow(REFUSED);
    expect(() => verify(header, '')).toThrow(REFUSED);
  });

  it.each([undefined, '', 't=1', 'v1=00', 't=abc,v1=00', 't=,v1=00', 'nonsense'])(
    'is refused with the header %j',
    (header) => {
      expect(() => verify(header)).toThrow(REFUSED);
    },
  );

  it('is refused when two timestamps leave open which was signed', () => {
    const [stamp, signature] = signed(-86_400).split(',');
    const fresh = `t=${NOW.getTime() / 1000}`;
    expect(() => verify(`${fresh},${stamp},${signature}`)).toThrow(REFUSED);
    expect(() => verify(`${stamp},${fresh},${signature}`)).toThrow(REFUSED);
  });

  it.each(['not json', '[]', 'null', '{"id":1,"type":"x"}'])('with the signed body %s is refused', (body) => {
    expect(() => verify(signed(0, SECRET, body), body)).toThrow(REFUSED);
  });

  it('about something else carries no session', () => {
    const body = JSON.stringify({
      id: 'evt_2',
      type: 'charge.refunded',
      data: { object: { object: 'charge' } },
    });
    expect(verify(signed(0, SECRET, body), body)).toEqual({
      eventId: 'evt_2',
      type: 'charge.refunded',
      sessionId: null,
      checkoutId: null,
      amountMicro: null,
      currency: null,
      paymentStatus: null,
      paymentIntent: null,
      reversal: null,
      metadata: {},
    });
  });
});

describe('a payment page', () => {
  it('takes cards only: whatever else an account offers may pay days later', async () => {
    let asked = '';
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (part: string) => {
        asked += part;
      });
      request.on('end', () => response.end(JSON.stringify({ id: 'cs_1', url: 'http://127.0.0.1/pay' })));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const gateway = createCardGateway({
        ...{ secretKey: 'sk_test_1', webhookSecrets: [SECRET], clock: () => NOW },
        apiBase: `http://127.0.0.1:${port}`,
      });
      await gateway.createCheckoutSession({
        ...{ checkoutId: 'co_1', amountMicro: 5_000_000n, productName: 'An agent', expiresAt: NOW },
        ...{ successUrl: 'http://127.0.0.1/a', cancelUrl: 'http://127.0.0.1/b' },
      });
    } finally {
      server.close();
    }
    const methods = [...new URLSearchParams(asked)].filter(([name]) =>
      name.startsWith('allowed_payment_method_types'),
    );
    expect(methods).toEqual([['allowed_payment_method_types[0]', 'card']]);
  });
});

describe('money on the card wire', () => {
  it('is whole cents, exactly', () => {
    expect(toCents(5_000_000n)).toBe(500);
    expect(toCents(10_000n)).toBe(1);
    expect(toCents(0n)).toBe(0);
  });

  it.each([1n, 9_999n, 10_001n, -10_000n])('refuses %s micro-dollars', (amount) => {
    expect(() => toCents(amount)).toThrow(RangeError);
  });
});
