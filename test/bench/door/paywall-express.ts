import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddlewareFromConfig } from '@x402/express';
import express from 'express';
import { type PaywallTerms, routesOf, schemesOf } from './paywall.ts';

/** Run as a child process: a paywall of `@x402/express` before an empty handler. Prints its address. */
const terms = JSON.parse(process.argv[2] ?? '') as PaywallTerms;
const app = express();
const facilitator = new HTTPFacilitatorClient({ url: terms.facilitatorUrl });
app.use(paymentMiddlewareFromConfig(routesOf(terms), facilitator, schemesOf(terms)));
app.get('/determination', (_request, response) => {
  response.json({});
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});
