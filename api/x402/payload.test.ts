import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Request } from '../http/app.ts';
import { bindPayment, readPayment, type SentPayment } from './payload.ts';

const hex = (digits: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: digits, maxLength: digits });
const uint = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }).map(String);
const payment = fc.record({
  x402Version: fc.constant(2),
  accepted: fc.record({
    scheme: fc.constant('exact'),
    network: fc.constant('eip155:1002'),
    amount: uint,
    asset: hex(40).map((h) => `0x${h}`),
    payTo: hex(40).map((h) => `0x${h}`),
    maxTimeoutSeconds: fc.integer({ min: 1 }),
  }),
  payload: fc.record({
    signature: hex(130).map((h) => `0x${h}`),
    authorization: fc.record({
      from: hex(40).map((h) => `0x${h}`),
      to: hex(40).map((h) => `0x${h}`),
      value: uint,
      validAfter: uint,
      validBefore: uint,
      nonce: hex(64).map((h) => `0x${h}`),
    }),
  }),
});
const header = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64');
const read = (value: unknown) => readPayment(header(value)) as SentPayment;
const request = (url: string, body = '', method = 'GET') =>
  ({ method, url, headers: {}, rawBody: Buffer.from(body) }) as unknown as Request;

describe('a payment header', () => {
  it('is read when it is a payment', () => {
    fc.assert(
      fc.property(payment, (sent) => {
        expect(readPayment(header(sent))).toMatchObject({ signed: sent.payload });
      }),
    );
  });

  it('is refused in words, and never throws, whatever else it is', () => {
    const junk = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString('base64')),
      fc.tuple(payment, fc.anything()).map(([sent, any]) => header({ ...sent, payload: any })),
    );
    fc.assert(
      fc.property(junk, (text) => {
        expect(typeof readPayment(text)).toBe('string');
      }),
    );
    expect(typeof readPayment(['a', 'b'])).toBe('string');
  });

  it('holds numbers of any size without losing one', () => {
    fc.assert(
      fc.property(payment, (sent) => {
        const { amount, validBefore } = bindPayment(request('/a'), read(sent));
        expect(String(amount)).toBe(sent.payload.authorization.value);
        expect(Number.isNaN(validBefore.getTime())).toBe(false);
      }),
    );
  });
});

describe('what a payment is bound to', () => {
  it('does not depend on how its hex is written', () => {
    fc.assert(
      fc.property(payment, (sent) => {
        const { signature, authorization } = sent.payload;
        const from = authorization.from.toLowerCase();
        const nonce = authorization.nonce.toLowerCase();
        const payload = {
          signature: signature.toLowerCase(),
          authorization: { ...authorization, from, nonce },
        };
        const [a, b] = [sent, { ...sent, payload }].map((s) => bindPayment(request('/a'), read(s)));
        expect(a).toEqual(b);
      }),
    );
  });

  it('changes with the method, the path, the query, the body and the signature', () => {
    fc.assert(
      fc.property(payment, (sent) => {
        const bound = (r: Request, s: unknown = sent) => {
          const { method, path, bodyHash, proof } = bindPayment(r, read(s));
          return JSON.stringify([method, path, bodyHash, proof]);
        };
        const other = { ...sent, payload: { ...sent.payload, signature: `0x${'0'.repeat(130)}` } };
        const all = [
          bound(request('/a')),
          bound(request('/a', '', 'POST')),
          bound(request('/b')),
          bound(request('/a?b=1')),
          bound(request('/a', '{}')),
          bound(request('/a'), other),
        ];
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });
});
