import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CardEvent, createCardGateway, verifyWebhook } from '../../runtime/checkout/card-gateway.ts';
import { startCardProcessor } from '../../runtime/embedded/card-processor.ts';

const SECRET_KEY = 'sk_test_0123456789abcdef';
const WEBHOOK_SECRET = 'whsec_0123456789abcdef';
const clock = () => new Date();
const log = { warn() {} };

interface Delivered {
  readonly body: Buffer;
  readonly header: string;
}

/** The service's side: takes what is posted and answers what the test says. */
async function receiver() {
  const delivered: Delivered[] = [];
  let answer = 200;
  let arrived = () => {};
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (c: Buffer) => chunks.push(c));
    request.on('end', () => {
      delivered.push({
        body: Buffer.concat(chunks),
        header: String(request.headers['stripe-signature']),
      });
      response.writeHead(answer, answer === 307 ? { location: '/elsewhere' } : {}).end();
      arrived();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/card`,
    delivered,
    answerWith: (status: number) => {
      answer = status;
    },
    async until(count: number): Promise<void> {
      while (delivered.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Processor = Awaited<ReturnType<typeof startCardProcessor>>;

let dataDir: string;
let hook: Awaited<ReturnType<typeof receiver>>;
let processor: Processor;

const start = (options: { webhookUrl?: string; clock?: () => Date } = {}): Promise<Processor> =>
  startCardProcessor({
    dataDir,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: options.webhookUrl ?? hook.url,
    clock: options.clock ?? clock,
    log,
    retryBaseMs: 5,
  });

const gateway = (apiBase = processor.url, secretKey = SECRET_KEY) =>
  createCardGateway({ secretKey, webhookSecrets: [WEBHOOK_SECRET], apiBase, clock });

const stripe = () => {
  const { hostname, port } = new URL(processor.url);
  return new Stripe(SECRET_KEY, {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  });
};

const order = (checkoutId = 'co_1') => ({
  checkoutId,
  amountMicro: 5_000_000n,
  productName: 'Safe Handshake AGENT "<ann>"',
  successUrl: 'http://127.0.0.1:4021/agent/checkout/co_1?session={CHECKOUT_SESSION_ID}',
  cancelUrl: 'http://127.0.0.1:4021/',
  expiresAt: new Date(Date.now() + 3_600_000),
});

const card = (number: string, extra: Record<string, string> = {}) =>
  new URLSearchParams({ number, exp_month: '12', exp_year: '34', cvc: '123', name: 'Ann', ...extra });

const pay = (url: string, body: URLSearchParams = card('4242 4242 4242 4242')) =>
  fetch(url, { method: 'POST', body, redirect: 'manual' });

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'card-'));
  hook = await receiver();
  processor = await start();
});

afterEach(async () => {
  await processor.stop();
  hook.close();
  await rm(dataDir, { recursive: true });
});

describe('a checkout paid by card', () => {
  it('goes from session over page and payment to one signed webhook that names the checkout and its amount', async () => {
    const session = await gateway().createCheckoutSession(order());
    const page = await (await fetch(session.url)).text();
    expect(page).toContain('Pay $5.00');
    expect(page).toContain('Safe Handshake AGENT &quot;&lt;ann&gt;&quot;');
    expect(page).not.toContain('<ann>');

    const paid = await pay(session.url);
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toBe(
      `http://127.0.0.1:4021/agent/checkout/co_1?session=${session.sessionId}`,
    );
    await hook.until(1);
    const { body, header } = hook.delivered[0] as Delivered;
    expect(verifyWebhook(body, header, [WEBHOOK_SECRET], clock())).toEqual({
      eventId: expect.stringMatching(/^evt_/),
      type: 'checkout.session.completed',
      sessionId: session.sessionId,
      checkoutId: 'co_1',
      amountMicro: 5_000_000n,
      currency: 'usd',
      paymentStatus: 'paid',
      paymentIntent: expect.stringMatching(/^pi_/),
      reversal: null,
      metadata: { checkout_id: 'co_1' },
    } satisfies CardEvent);

    const kept = await stripe().checkout.sessions.retrieve(session.sessionId);
    expect([kept.status, kept.payment_status, kept.url]).toEqual(['complete', 'paid', null]);
    const events = await stripe().events.list({ type: 'checkout.session.completed' });
    expect(events.data.map((e) => (e.data.object as Stripe.Checkout.Session).id)).toEqual([
      session.sessionId,
    ]);
  });

  it('is charged once however often the form is sent', async () => {
    const { url } = await gateway().createCheckoutSession(order());
    const answers = await Promise.all(Array.from({ length: 5 }, () => pay(url)));
    expect(answers.map((a) => a.status)).toEqual([303, 303, 303, 303, 303]);
    expect((await stripe().events.list()).data).toHaveLength(1);
    expect((await fetch(url)).status).toBe(200);
    expect(await (await fetch(url)).text()).toContain('Paid $5.00');
  });

  it('can be paid by a program that asks for JSON on the same address', async () => {
    const { url, sessionId } = await gateway().createCheckoutSession(order());
    const paid = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' }),
    });
    expect(paid.status).toBe(200);
    expect(await paid.json()).toMatchObject({ id: sessionId, status: 'complete', payment_status: 'paid' });
  });

  it.each([
    ['4000 0000 0000 0002', {}, 'card_declined', 'number'],
    ['5555 5555 5555 4444', {}, 'card_declined', 'number'],
    ['4242 4242 4242 4241', {}, 'incorrect_number', 'number'],
    ['4242 4242 4242 4242', { exp_year: '20' }, 'expired_card', 'exp_year'],
    ['4242 4242 4242 4242', { exp_month: '13' }, 'invalid_expiry_month', 'exp_month'],
    ['4242 4242 4242 4242', { exp_year: 'soon' }, 'invalid_expiry_year', 'exp_year'],
    ['4242 4242 4242 4242', { cvc: '12' }, 'incorrect_cvc', 'cvc'],
  ])(
    'card %s with %o is refused as %s on field %s and can be tried again',
    async (number, extra, code, param) => {
      const { url } = await gateway().createCheckoutSession(order());
      const json = await fetch(url, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: card(number, extra),
      });
      expect(json.status).toBe(402);
      expect(await json.json()).toMatchObject({ error: { type: 'card_error', code, param } });

      const page = await pay(url, card(number, extra));
      const html = await page.text();
      expect(page.status).toBe(402);
      expect(html).toContain('role="alert"');
      expect(html).toMatch(new RegExp(`id="${param}"[^>]*aria-invalid="true"`));
      expect(html).not.toContain(`value="${number}"`);

      expect((await stripe().events.list()).data).toEqual([]);
      expect((await pay(url)).status).toBe(303);
    },
  );

  it('keeps no card data on disk', async () => {
    const { url } = await gateway().createCheckoutSession(order());
    await pay(url, card('4242 4242 4242 4242', { cvc: '987', name: 'Distinct Name' }));
    const kept = await readFile(join(dataDir, 'card-processor.json'), 'utf8');
    expect(kept).toContain('checkout.session.completed');
    // Ids and hashes may hold any four digits in a row: the card's own stand alone, between spaces, or sixteen together.
    expect(kept).not.toMatch(/(4242[ -]?){4}|\b4242\b|"987"|Distinct Name/);
  });
});

describe('the API of the processor', () => {
  it('answers the same session for the same idempotency key, and refuses other terms under it', async () => {
    const same = order('co_same');
    const sessions = await Promise.all([1, 2, 3].map(() => gateway().createCheckoutSession(same)));
    expect(new Set(sessions.map((s) => s.sessionId)).size).toBe(1);
    const other = await gateway().createCheckoutSession(order('co_other'));
    expect(other.sessionId).not.toBe(sessions[0]?.sessionId);
    await expect(gateway().createCheckoutSession({ ...same, amountMicro: 1_000_000n })).rejects.toMatchObject(
      { code: 'unavailable', cause: { type: 'StripeIdempotencyError' } },
    );
  });

  it('refuses another key and reports what is wrong by parameter', async () => {
    await expect(
      gateway(processor.url, 'sk_test_wrong').createCheckoutSession(order()),
    ).rejects.toMatchObject({ code: 'unavailable', cause: { type: 'StripeAuthenticationError' } });
    const create = (params: Partial<Stripe.Checkout.SessionCreateParams>) =>
      stripe().checkout.sessions.create({
        mode: 'payment',
        success_url: 'https://example.org/',
        line_items: [
          { quantity: 1, price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'x' } } },
        ],
        ...params,
      });
    const cases: [Partial<Stripe.Checkout.SessionCreateParams>, string][] = [
      [{ mode: 'subscription' }, 'mode'],
      [{ success_url: 'javascript:alert(1)' }, 'success_url'],
      [{ expires_at: 1 }, 'expires_at'],
      [{ line_items: [] }, 'line_items'],
      [{ customer: 'cus_1' }, 'customer'],
      [
        {
          line_items: [
            { quantity: 1, price_data: { currency: 'eur', unit_amount: 500, product_data: { name: 'x' } } },
          ],
        },
        'line_items[price_data][currency]',
      ],
    ];
    for (const [params, param] of cases) {
      await expect(create(params)).rejects.toMatchObject({ type: 'StripeInvalidRequestError', param });
    }
    await expect(stripe().checkout.sessions.retrieve('cs_test_0')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
  });

  it('ends a session on request, after which nobody can pay it', async () => {
    const { url, sessionId } = await gateway().createCheckoutSession(order());
    await stripe().checkout.sessions.expire(sessionId);
    expect((await fetch(url)).status).toBe(410);
    expect((await pay(url)).status).toBe(400);
    await hook.until(1);
    expect(JSON.parse(String(hook.delivered[0]?.body)).type).toBe('checkout.session.expired');
    await expect(stripe().checkout.sessions.expire(sessionId)).rejects.toMatchObject({ statusCode: 400 });
  });

  it('ends a session whose time has run out', async () => {
    const { url } = await gateway().createCheckoutSession(order());
    await processor.stop();
    processor = await start({ clock: () => new Date(Date.now() + 2 * 3_600_000) });
    await hook.until(1);
    expect(JSON.parse(String(hook.delivered[0]?.body)).type).toBe('checkout.session.expired');
    expect((await fetch(url.replace(/^http:\/\/[^/]+/, processor.url))).status).toBe(410);
  });

  it('refuses a body over 64 KiB', async () => {
    const answer = await fetch(`${processor.url}/v1/checkout/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET_KEY}` },
      body: 'a='.padEnd(70_000, 'b'),
    });
    expect(answer.status).toBe(413);
  });

  it('never starts with a live key', async () => {
    await expect(
      startCardProcessor({
        dataDir,
        secretKey: 'sk_live_1',
        webhookSecret: WEBHOOK_SECRET,
        webhookUrl: hook.url,
        clock,
        log,
      }),
    ).rejects.toThrow(/live key/);
  });
});

describe('delivery of webhooks', () => {
  it('tries again after failures and redirects until it is acknowledged, with the same event', async () => {
    hook.answerWith(500);
    const { url } = await gateway().createCheckoutSession(order());
    await pay(url);
    await hook.until(3);
    hook.answerWith(307);
    await hook.until(5);
    hook.answerWith(200);
    await hook.until(6);
    const ids = hook.delivered.map((d) => verifyWebhook(d.body, d.header, [WEBHOOK_SECRET], clock()).eventId);
    expect(new Set(ids).size).toBe(1);
  });

  it('delivers after a restart what was pending, and pages stay at their address', async () => {
    await processor.stop();
    const closed = await receiver();
    closed.close();
    processor = await start({ webhookUrl: closed.url });
    const { url } = await gateway().createCheckoutSession(order());
    await pay(url);
    await processor.stop();
    expect(hook.delivered).toEqual([]);

    processor = await start();
    await hook.until(1);
    expect(
      verifyWebhook(hook.delivered[0]!.body, hook.delivered[0]!.header, [WEBHOOK_SECRET], clock()),
    ).toMatchObject({ type: 'checkout.session.completed', checkoutId: 'co_1' });
    expect((await fetch(url)).status).toBe(200);
  });

  it('refuses to begin over a state file it cannot read', async () => {
    await processor.stop();
    await writeFile(join(dataDir, 'card-processor.json'), '{"version":');
    await expect(start()).rejects.toThrow(/card-processor\.json cannot be read/);
    await rm(join(dataDir, 'card-processor.json'));
    processor = await start();
  });
});

describe('money that goes back', () => {
  const told = (index: number): CardEvent => {
    const { body, header } = hook.delivered[index] as Delivered;
    return verifyWebhook(body, header, [WEBHOOK_SECRET], clock());
  };

  async function paid(number = '4242 4242 4242 4242'): Promise<string> {
    const session = await gateway().createCheckoutSession(order());
    await pay(session.url, card(number));
    await hook.until(1);
    const kept = await stripe().checkout.sessions.retrieve(session.sessionId);
    return kept.payment_intent as string;
  }

  it('is refunded once, by whoever asks again', async () => {
    const paymentIntent = await paid();
    const payment = { checkoutId: 'co_1', paymentIntent };
    await Promise.all([gateway().refund(payment), gateway().refund(payment)]);
    await gateway().refund({ ...payment, checkoutId: 'co_2' });
    await hook.until(2);
    expect(told(1)).toMatchObject({
      type: 'charge.refunded',
      reversal: { paymentIntent, reference: expect.stringMatching(/^ch_/), state: 'refunded' },
    });
    const { data } = await stripe().events.list({ type: 'charge.refunded' });
    expect(data).toHaveLength(1);
  });

  it('is refunded by a later attempt where the processor had a fault of its own that day', async () => {
    const paymentIntent = await paid();
    const payment = { checkoutId: 'co_1', paymentIntent };
    const keys: unknown[] = [];
    // As the real one: what it answered first to a key, also a fault, it answers again for a day.
    const faults = new Map<unknown, number>();
    const front = createServer(async (request, response) => {
      const key = request.headers['idempotency-key'];
      if (request.url === '/v1/refunds') {
        keys.push(key);
        if (keys.length === 1) faults.set(key, 500);
        if (faults.has(key)) {
          response.writeHead(500, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
          return response.end(JSON.stringify({ error: { type: 'api_error', message: 'our fault' } }));
        }
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
      const answer = await fetch(`${processor.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    try {
      let now = new Date('2026-11-26T12:00:00Z');
      const { refund } = createCardGateway({
        secretKey: SECRET_KEY,
        webhookSecrets: [WEBHOOK_SECRET],
        apiBase: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
        clock: () => now,
      });
      await expect(refund(payment)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(refund(payment)).rejects.toMatchObject({ code: 'unavailable' });
      now = new Date('2026-11-27T00:00:01Z');
      await refund(payment);
      expect(keys.slice(-2)).toEqual(['refund-co_1-2026-11-26', 'refund-co_1-2026-11-27']);
      // The next day's key is another, and the charge alone tells that the money is back.
      now = new Date('2026-11-28T00:00:01Z');
      const asked = keys.length;
      await refund(payment);
      expect(keys).toHaveLength(asked);
    } finally {
      front.closeAllConnections();
      front.close();
    }
    const { data } = await stripe().events.list({ type: 'charge.refunded' });
    expect(data).toHaveLength(1);
  });

  it('in part takes nothing away until all of it is back', async () => {
    const payment_intent = await paid();
    await stripe().refunds.create({ payment_intent, amount: 200 });
    await hook.until(2);
    expect(told(1)).toMatchObject({ type: 'charge.refunded', reversal: null });
    await expect(stripe().refunds.create({ payment_intent, amount: 301 })).rejects.toMatchObject({
      param: 'amount',
    });
    await stripe().refunds.create({ payment_intent });
    await hook.until(3);
    expect(told(2).reversal?.state).toBe('refunded');
  });

  it.each([
    ['winning_evidence', 'won'],
    ['losing_evidence', 'lost'],
  ])('by a dispute is decided by %s', async (evidence, state) => {
    const paymentIntent = await paid('4000 0000 0000 0259');
    await hook.until(2);
    const events = [told(0), told(1)];
    expect(events.map((e) => e.type).sort()).toEqual([
      'charge.dispute.created',
      'checkout.session.completed',
    ]);
    const { data } = await stripe().disputes.list({ payment_intent: paymentIntent });
    const id = data[0]?.id as string;
    await stripe().disputes.update(id, { evidence: { uncategorized_text: evidence }, submit: true });
    await hook.until(3);
    expect(told(2)).toMatchObject({
      type: 'charge.dispute.closed',
      reversal: { paymentIntent, reference: id, state },
    });
    await expect(stripe().disputes.close(id)).rejects.toMatchObject({ statusCode: 400 });
  });

  it.each([
    ['winning_evidence', 'refunded once the dispute is won', 1],
    ['losing_evidence', 'back, and not refunded as well, once the dispute is lost', 0],
  ])('in dispute is not refunded before %s decides it: it is %s', async (evidence, _, refunds) => {
    const payment = { checkoutId: 'co_1', paymentIntent: await paid('4000 0000 0000 0259') };
    await expect(gateway().refund(payment)).rejects.toMatchObject({ name: 'InDispute' });
    const { data } = await stripe().disputes.list({ payment_intent: payment.paymentIntent });
    await stripe().disputes.update(data[0]!.id, {
      evidence: { uncategorized_text: evidence },
      submit: true,
    });
    await gateway().refund(payment);
    expect((await stripe().events.list({ type: 'charge.refunded' })).data).toHaveLength(refunds);
  });

  it('that the bank only inquires about is refunded, which ends the inquiry', async () => {
    const payment = { checkoutId: 'co_1', paymentIntent: await paid('4000 0000 0000 1976') };
    await gateway().refund(payment);
    await gateway().refund(payment);
    expect((await stripe().events.list({ type: 'charge.refunded' })).data).toHaveLength(1);
    const { data } = await stripe().disputes.list({ payment_intent: payment.paymentIntent });
    expect(data.map(({ status }) => status)).toEqual(['warning_closed']);
  });

  it('is not returned for a payment nobody made, which no outage excuses', async () => {
    await expect(gateway().refund({ checkoutId: 'co_1', paymentIntent: 'pi_none' })).rejects.toMatchObject({
      name: 'RefundRefused',
    });
  });
});
