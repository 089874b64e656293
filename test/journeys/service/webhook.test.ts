import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { startCardProcessor } from '../../../runtime/embedded/card-processor.ts';
import { findCheckout } from '../../../store/checkout/checkouts.ts';
import { openDatabase } from '../../../store/database.ts';
import { findPostgres } from '../../../store/embedded.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../../fixtures/service.ts';
import { type Checkout, type Story, storyOn } from '../../fixtures/story-stage.ts';

/** The card processor's webhook against a running service, signed as Stripe signs, by the real package. */

const stripe = new Stripe('sk_test_none');
let folder: ServiceFolder;
let story: Story;
let service: ServiceProcess;

beforeAll(async () => {
  folder = await serviceFolder();
  service = await folder.start();
  story = storyOn(folder);
});
afterAll(() => folder.remove());

const MANDATE = 'Buy digital products, max 50 USDC per deal, for 30 days.';
const now = (): number => Math.floor(Date.now() / 1000);

async function checkout(handle: string): Promise<Checkout> {
  return await story.openCheckout(await story.owner(), handle, MANDATE);
}

function paidEvent(
  { checkoutId, checkoutUrl }: Checkout,
  changes: { id?: string; type?: string; amount?: number; currency?: string; status?: string } = {},
): string {
  const id = checkoutUrl
    .split('/')
    .find((part) => part.startsWith('cs_'))
    ?.split('?')[0];
  return JSON.stringify({
    id: changes.id ?? `evt_${checkoutId}`,
    object: 'event',
    type: changes.type ?? 'checkout.session.completed',
    created: now(),
    data: {
      object: {
        id,
        object: 'checkout.session',
        client_reference_id: checkoutId,
        metadata: { checkout_id: checkoutId },
        amount_total: changes.amount ?? 500,
        currency: changes.currency ?? 'usd',
        payment_status: changes.status ?? 'paid',
        mode: 'payment',
      },
    },
  });
}

function secret(): string {
  return (
    JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8')) as { cardWebhookSecret: string }
  ).cardWebhookSecret;
}

async function send(
  payload: string,
  options: { secret?: string; timestamp?: number } = {},
): Promise<Response> {
  const header = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: options.secret ?? secret(),
    timestamp: options.timestamp ?? now(),
  });
  return await fetch(`http://127.0.0.1:${folder.env.PORT}/webhooks/card`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': header },
    body: payload,
  });
}

it('mints once, however often, at the same time or late, the same event comes', async () => {
  const opened = await checkout('once');
  const event = paidEvent(opened);
  const answers = await Promise.all(Array.from({ length: 100 }, () => send(event)));
  expect(answers.map((a) => a.status)).toEqual(Array(100).fill(200));
  await story.minted(opened);
  expect((await send(event)).status).toBe(200);
  expect((await send(paidEvent(opened, { id: 'evt_another_of_the_same_session' }))).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await story.chain().mints()).toBe(1);
});

it('pays for nothing with another amount, another currency or an unpaid session', async () => {
  const opened = await checkout('short-changed');
  for (const [index, changes] of [
    { amount: 499 },
    { amount: 50000 },
    { currency: 'eur' },
    { status: 'unpaid' },
  ].entries()) {
    expect((await send(paidEvent(opened, { id: `evt_wrong_${index}`, ...changes }))).status).toBe(200);
  }
  const { body } = await story.api.get(`/agent/checkout/${opened.checkoutId}`);
  expect(body.status).toBe('awaiting-payment');
});

it('serves a payment that completes after its page, once', async () => {
  const before = await story.chain().mints();
  const opened = await checkout('paid-later');
  const type = 'checkout.session.async_payment_succeeded';
  expect((await send(paidEvent(opened, { status: 'unpaid' }))).status).toBe(200);
  expect((await send(paidEvent(opened, { id: 'evt_failed', type, status: 'unpaid' }))).status).toBe(200);
  for (const id of ['evt_later', 'evt_later', 'evt_later_still'])
    expect((await send(paidEvent(opened, { id, type }))).status).toBe(200);
  await story.minted(opened);
  expect(await story.chain().mints()).toBe(before + 1);
});

it('returns what was paid when it is not the amount that was asked', async () => {
  const opened = await checkout('other-amount');
  const db = openDatabase((await findPostgres(folder.dataDir)) as string, { max: 1 });
  try {
    const asked = { amount: 4_000_000n };
    await db.updateTable('checkouts').set(asked).where('id', '=', opened.checkoutId).execute();
    await story.pay(opened);
    const reversal = await until('the money to be returned', async () => {
      const { payment_intent: paid, status } = (await findCheckout(db, opened.checkoutId))!;
      if (paid === null || status !== 'failed') return null;
      const rows = db.selectFrom('payment_reversals').selectAll().where('payment_intent', '=', paid);
      return (await rows.executeTakeFirst()) ?? null;
    });
    expect(reversal.state).toBe('refunded');
  } finally {
    await db.destroy();
  }
});

it.each([
  ['another secret', { secret: 'whsec_guessed' }],
  ['a stamp of six minutes ago', { ago: 360 }],
  ['a stamp of six minutes ahead', { ago: -360 }],
])('refuses %s with 400 and its own code', async (why, options: { secret?: string; ago?: number }) => {
  const opened = await checkout(why.replaceAll(' ', '-'));
  const { secret: guessed, ago = 0 } = options;
  const answer = await send(paidEvent(opened), {
    timestamp: now() - ago,
    ...(guessed === undefined ? {} : { secret: guessed }),
  });
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { code: string }).code).toBe('webhook-signature-invalid');
  expect((await story.api.get(`/agent/checkout/${opened.checkoutId}`)).body.status).toBe('awaiting-payment');
});

it('accepts the old secret and the new one of a remote processor while they change, and no third one', async () => {
  const [current, next] = ['whsec_of_this_year', 'whsec_of_the_next'];
  const secretKey = 'sk_test_elsewhere';
  const dataDir = mkdtempSync(join(tmpdir(), 'card-elsewhere-'));
  service.kill('SIGTERM');
  await service.ended;
  const processor = await startCardProcessor({
    dataDir,
    secretKey,
    webhookSecret: current,
    webhookUrl: `http://127.0.0.1:${folder.env.PORT}/webhooks/card`,
    clock: () => new Date(),
    log: { warn: () => {} },
  });
  try {
    service = await folder.start({
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRETS: `${next},${current}`,
      STRIPE_API_BASE: processor.url,
    });
    expect(service.output()).not.toContain('card processor');
    const byOld = await checkout('by-the-old-secret');
    expect(byOld.checkoutUrl.startsWith(processor.url)).toBe(true);
    await story.pay(byOld);
    await story.minted(byOld);

    const byNew = await checkout('by-the-new-secret');
    const event = paidEvent(byNew);
    expect((await send(event, { secret: 'whsec_of_nobody' })).status).toBe(400);
    expect((await send(event, { secret: next })).status).toBe(200);
    await story.minted(byNew);
  } finally {
    await processor.stop();
    rmSync(dataDir, { recursive: true });
  }
});
