import type { App } from './app.ts';

/** Headers that identify the caller or are meant for the caller alone: the answer to such a request is private, too. */
const PERSONAL = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'idempotency-key',
  'payment-signature',
  'payment-identifier',
  'x-payment',
  'sign-in-with-x',
] as const;

/**
 * Forbids caches to store an answer to a request that carries a signature, key, payment or sign-in, and every
 * challenge, which is made for one caller (RFC 9111, 5.2.2.5). Otherwise a cache would give it to the next caller.
 */
export function registerCacheControl(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { statusCode } = reply;
    const challenges = statusCode === 401 || statusCode === 402 || statusCode === 407;
    const personal = PERSONAL.some((name) => request.headers[name] !== undefined);
    if (challenges || personal || reply.hasHeader('payment-response'))
      reply.header('cache-control', 'no-store');
    done(null, payload);
  });
}
