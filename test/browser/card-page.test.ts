import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCardGateway, verifyWebhook } from '../../runtime/checkout/card-gateway.ts';
import { startCardProcessor } from '../../runtime/embedded/card-processor.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';

const SECRET_KEY = 'sk_test_browser';
const WEBHOOK_SECRET = 'whsec_browser';
const clock = () => new Date();

describe.runIf(CHROMIUM !== undefined)('a person at the card page', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'card-page-'));
  let shop: Server;
  let shopUrl: string;
  let told: (hook: { body: Buffer; header: string }) => void = () => {};
  let processor: Awaited<ReturnType<typeof startCardProcessor>>;
  let browser: Browser;

  beforeAll(async () => {
    shop = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const header = request.headers['stripe-signature'];
        if (typeof header === 'string') told({ body: Buffer.concat(chunks), header });
        response
          .setHeader('content-type', 'text/html')
          .end(`<!doctype html><title>shop</title>${request.url}`);
      });
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    const webhookUrl = `${shopUrl}/webhooks/card`;
    const log = { warn: () => {} };
    const keys = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET };
    processor = await startCardProcessor({ dataDir, ...keys, webhookUrl, clock, log });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await processor?.stop();
    shop?.closeAllConnections();
    shop?.close();
    rmSync(dataDir, { recursive: true });
  });

  async function openPage(checkoutId: string): Promise<Page> {
    const gateway = createCardGateway({
      secretKey: SECRET_KEY,
      webhookSecrets: [WEBHOOK_SECRET],
      apiBase: processor.url,
      clock,
    });
    const { url } = await gateway.createCheckoutSession({
      checkoutId,
      amountMicro: 5_000_000n,
      productName: 'Safe Handshake AGENT "harbour-desk"',
      successUrl: `${shopUrl}/paid?session={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${shopUrl}/back`,
      expiresAt: new Date(Date.now() + 3_600_000),
    });
    const page = patient(await browser.newPage());
    await page.goto(url);
    return page;
  }

  async function fill(page: Page, number: string): Promise<void> {
    await page.getByLabel('Card number').fill(number);
    await page.getByLabel('Month').fill('12');
    await page.getByLabel('Year').fill('34');
    await page.getByLabel('CVC').fill('123');
    await page.getByRole('button', { name: 'Pay $5.00' }).click();
  }

  it('pays with the test card, comes back to the shop, and the shop is told', async () => {
    const hook = new Promise<{ body: Buffer; header: string }>((resolve) => (told = resolve));
    const page = await openPage('co_browser');
    await fill(page, '4242 4242 4242 4242');
    await page.waitForURL(`${shopUrl}/paid?session=cs_*`);
    const { body, header } = await hook;
    expect(verifyWebhook(body, header, [WEBHOOK_SECRET], clock())).toMatchObject({
      type: 'checkout.session.completed',
      checkoutId: 'co_browser',
      amountMicro: 5_000_000n,
      paymentStatus: 'paid',
    });
    await page.close();
  });

  it('is told of a declined card at the field, pays with another, and cannot pay twice', async () => {
    const page = await openPage('co_declined');
    const url = page.url();
    await fill(page, '4000000000000002');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Card number').inputValue()).toBe('');
    await fill(page, '4242424242424242');
    await page.waitForURL(`${shopUrl}/paid?session=cs_*`);
    await page.goto(url);
    expect(await page.getByText('Paid $5.00').count()).toBe(1);
    expect(await page.getByRole('button').count()).toBe(0);
    await page.close();
  });

  it('goes back unpaid, and finds a page that everybody can use', async () => {
    const page = await openPage('co_back');
    await page.evaluate(axe.source);
    const { violations, passes } = (await page.evaluate('axe.run(document)')) as axe.AxeResults;
    expect(passes.length).toBeGreaterThan(0);
    expect(violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`)).toEqual([]);
    await page.getByRole('link', { name: 'Cancel and go back' }).click();
    await page.waitForURL(`${shopUrl}/back`);
    await page.close();
  });
});
