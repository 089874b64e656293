import { expect, it } from 'vitest';
import { heldPayments, offeredSeconds } from './held-payments.ts';

it.each([
  [true, 'an answer', { status: 200, body: { verdict: 'CLEAN' } }],
  [true, 'a challenge in the header', { status: 402, body: null, challenge: 'e30=' }],
  [true, 'a challenge in the body', { status: 402, body: { accepts: [] } }],
  [true, 'a refusal by its own code', { status: 409, body: { code: 'conflict' } }],
  [false, 'a proxy’s page of 404', { status: 404, body: null }],
  [false, 'a portal’s page of 200', { status: 200, body: null }],
  [false, 'an edge’s refusal', { status: 403, body: { message: 'Forbidden' } }],
  [false, 'an edge’s code', { status: 403, body: { code: 'WAF' } }],
  [false, 'a 402 of somebody else', { status: 402, body: { message: 'Upgrade your plan' } }],
  [false, 'a redirect', { status: 302, body: {} }],
  [false, 'a fault of the service', { status: 500, body: { code: 'internal' } }],
  [false, 'too many requests', { status: 429, body: { code: 'rate-limited' } }],
])('a payment is let go: %s, by %s', (isGone, _, answer) => {
  const held = heldPayments<string>();
  held.hold('call', 'payment', 1000);
  held.answered('call', 'payment', answer);
  expect(held.of('call', 0)).toBe(isGone ? null : 'payment');
});

it('a payment that another took the place of is let go by nobody’s answer', () => {
  const held = heldPayments<string>();
  held.hold('call', 'second', 1000);
  held.answered('call', 'first', { status: 200, body: {} });
  held.letGo('call', 'first');
  expect(held.of('call', 0)).toBe('second');
  held.letGo('call', 'second');
  expect(held.of('call', 0)).toBeNull();
});

it.each([
  [300, [{ maxTimeoutSeconds: 60 }, { maxTimeoutSeconds: 300 }]],
  [0, [null, {}, { maxTimeoutSeconds: 'long' }, { maxTimeoutSeconds: Number.POSITIVE_INFINITY }]],
  [0, []],
])('is held for %i seconds at most where these are offered: %j', (seconds, accepts) => {
  expect(offeredSeconds({ accepts })).toBe(seconds);
});
