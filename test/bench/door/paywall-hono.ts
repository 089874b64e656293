import { serve } from '@hono/node-server';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddlewareFromConfig } from '@x402/hono';
import { Hono } from 'hono';
import { type PaywallTerms, routesOf, schemesOf } from './paywall.ts';

/** Run as a child process: a paywall of `@x402/hono` before an empty handler. Prints its address. */
const terms = JSON.parse(process.argv[2] ?? '') as PaywallTerms;
const app = new Hono();
const facilitator = new HTTPFacilitatorClient({ url: terms.facilitatorUrl });
app.use(paymentMiddlewareFromConfig(routesOf(terms), facilitator, schemesOf(terms)));
app.get('/determination', (c) => c.json({}));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);
