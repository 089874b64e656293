import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedKeys } from '../../chain/keys/seeds.ts';
import { signInChallenge } from './extensions.ts';
import { hmacSha256, signInNonces } from './sign-in.ts';

describe('the mark of a nonce', () => {
  it('is the HMAC that everybody knows', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.string({ unit: 'binary' }), (key, text) => {
        expect(hmacSha256(key)(text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
      }),
    );
  });

  it('is ours for the terms it was made for, and for no others', () => {
    const nonces = signInNonces(seedKeys(`0x${'5e'.repeat(32)}`));
    const terms = { uri: 'https://a.test/x?y=1', issuedAt: 'then', expirationTime: 'later' };
    const nonce = nonces.make(terms);
    expect(nonces.isOurs(nonce, terms)).toBe(true);
    expect(signInNonces(seedKeys(`0x${'5f'.repeat(32)}`)).isOurs(nonce, terms)).toBe(false);
    for (const change of [{ uri: 'https://a.test/x?y=2' }, { issuedAt: 'now' }, { expirationTime: 'never' }])
      expect(nonces.isOurs(nonce, { ...terms, ...change })).toBe(false);
  });
});

describe('the times of a sign-in', () => {
  it('are those of the second in which it is asked for, never in the future', () => {
    let now = new Date('2026-11-21T16:00:00.999Z');
    const signIn = { make: () => 'nonce' };
    const challenge = signInChallenge({ baseUrl: 'https://a.test', now: () => now, signIn });
    const times = () => {
      const { issuedAt, expirationTime } = challenge({}, 'https://a.test/x');
      return [issuedAt, expirationTime];
    };
    expect(times()).toEqual(['2026-11-21T16:00:00.000Z', '2026-11-21T16:05:00.000Z']);
    now = new Date('2026-11-21T16:00:01.000Z');
    expect(times()).toEqual(['2026-11-21T16:00:01.000Z', '2026-11-21T16:05:01.000Z']);
    now = new Date('2026-11-21T15:59:59.500Z');
    expect(times()).toEqual(['2026-11-21T15:59:59.000Z', '2026-11-21T16:04:59.000Z']);
  });
});
