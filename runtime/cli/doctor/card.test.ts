import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD_EVENTS } from '../../checkout/card-gateway.ts';
import { readConfig } from '../../config/config.ts';
import { checkCard } from './card.ts';

const HOOK = 'https://handshake.example/webhooks/card';

let server: Server;
let answer: { readonly status: number; readonly body: unknown };
beforeAll(async () => {
  server = createServer((request, response) => {
    const known = request.url?.startsWith('/v1/webhook_endpoints?') && request.method === 'GET';
    response.writeHead(known ? answer.status : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

const looked = (key = 'sk_live_0123456789abcdef', port = (server.address() as AddressInfo).port) =>
  checkCard(
    readConfig({
      BASE_URL: 'https://handshake.example',
      STRIPE_SECRET_KEY: key,
      STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789abcdef',
      STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    }),
  );
const endpoint = (events: readonly string[], { url = HOOK, status = 'enabled' } = {}) => ({
  ...{ object: 'webhook_endpoint', id: 'we_1', url, status },
  enabled_events: events,
});
const offering = (...data: unknown[]) => {
  answer = { status: 200, body: { object: 'list', url: '/v1/webhook_endpoints', has_more: false, data } };
};
const refused = (status: number) => {
  answer = { status, body: { error: { type: 'invalid_request_error', message: 'No.' } } };
};

describe('the doctor at the card processor', () => {
  it('finds an endpoint that is sent every event well', async () => {
    offering(endpoint(CARD_EVENTS));
    expect(await looked()).toMatchObject({ state: 'well' });
    offering(endpoint(['*']));
    expect(await looked()).toMatchObject({ state: 'well' });
    offering(endpoint(CARD_EVENTS.slice(0, 2)), endpoint(CARD_EVENTS.slice(2)));
    expect(await looked()).toMatchObject({ state: 'well' });
  });

  it('says that none is there, as where it is off or elsewhere', async () => {
    for (const other of [
      [],
      [endpoint(['*'], { status: 'disabled' })],
      [endpoint(['*'], { url: 'https://old.example/webhooks/card' })],
    ]) {
      offering(...other);
      expect(await looked()).toMatchObject({ state: 'wrong', says: expect.stringContaining(HOOK) });
    }
    expect(await looked('sk_test_0123456789abcdef')).toMatchObject({ state: 'doubtful' });
  });

  it('names the events that the endpoint is not sent', async () => {
    offering(endpoint(['checkout.session.completed', 'charge.refunded', 'charge.dispute.closed']));
    expect(await looked()).toMatchObject({
      state: 'wrong',
      says: `${HOOK} is not sent checkout.session.async_payment_succeeded, charge.dispute.created`,
    });
  });

  it('doubts where the key may not read them, and says that it is refused or nobody answers', async () => {
    for (const status of [403, 404]) {
      refused(status);
      expect(await looked()).toMatchObject({ state: 'doubtful', remedy: expect.stringContaining(HOOK) });
    }
    refused(401);
    expect(await looked()).toMatchObject({
      state: 'wrong',
      remedy: expect.stringContaining('STRIPE_SECRET_KEY'),
    });
    expect(await looked(undefined, 1)).toMatchObject({ state: 'wrong' });
  });

  it('has every event in the documents', () => {
    const page = readFileSync(new URL('../../../docs/operator.md', import.meta.url), 'utf8');
    for (const event of CARD_EVENTS) expect(page).toContain(`\`${event}\``);
  });
});
