import cors from '@fastify/cors';
import type { App } from './app.ts';

/** Headers that scripts of other sites may read: the three payment headers, and what a good client needs. */
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

/** Tells browsers to use https for a year. It leaves out subdomains, which may belong to others. */
const HSTS = 'max-age=31536000';

/** Headers that every answer carries. @param baseUrl the public address */
export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
  };
}

/** Adds the request id, the cross-origin rules, and headers that keep a browser from guessing content types. */
export async function registerHeaders(app: App, { baseUrl }: { baseUrl: string }): Promise<void> {
  const always = securityHeaders(baseUrl);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, ...always });
    done();
  });
  // The API is public and takes no cookies, so any page may call it.
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'DELETE'],
    exposedHeaders: EXPOSED,
    // An OPTIONS request that is no preflight gets the same answer; otherwise it would get a plain text error, which is
    // no problem body.
    strictPreflight: false,
    maxAge: 86_400,
  });
}

/** Keeps a caller's request id only when it has plain characters; others could forge lines of the log. */
export function acceptableRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(value);
}
