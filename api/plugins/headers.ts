import cors from '@fastify/cors';
import type { App } from '../app.ts';

/** What a browser's page may read of an answer: the three payment headers, and what a good client needs. */
const EXPOSED = [
  'PAYMENT-REQUIRED',
  'PAYMENT-SIGNATURE',
  'PAYMENT-RESPONSE',
  'WWW-Authenticate',
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replayed',
];

/** Request ids out, cross-origin rules, and the headers that keep a browser from guessing. */
export async function registerHeaders(app: App): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });
  // The interface is public and takes no cookies: any page may call it.
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'DELETE'],
    exposedHeaders: EXPOSED,
    // An OPTIONS that no browser sent is told the same, where a sentence in plain text would be no problem body.
    strictPreflight: false,
    maxAge: 86_400,
  });
}

/** An incoming request id is kept when it is plain; anything else would let a caller write into the log. */
export function acceptableRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(value);
}
