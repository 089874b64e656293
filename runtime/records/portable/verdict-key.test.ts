import { calculateJwkThumbprint, compactVerify, importJWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { verdictKey } from './verdict-key.ts';

const SEED = `0x${'11'.repeat(32)}` as const;

describe('the key of portable verdicts', () => {
  it('is one for a seed, in every process and release, and another for another seed', () => {
    expect(verdictKey(SEED).kid).toBe(verdictKey(SEED).kid);
    expect(verdictKey(SEED).kid).toBe('CYv8ooviRu34OMzB_s_jZGZVZN5xn8bJFVYYpa9dHHY');
    expect(verdictKey(`0x${'12'.repeat(32)}`).kid).not.toBe(verdictKey(SEED).kid);
  });

  it('goes by its RFC 7638 thumbprint and shows nothing private', async () => {
    const { kid, publicJwk } = verdictKey(SEED);
    expect(await calculateJwkThumbprint(publicJwk)).toBe(kid);
    expect(Object.keys(publicJwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  it('signs what jose verifies, as bytes and as a JWT', async () => {
    const { publicJwk, sign, signJwt, kid } = verdictKey(SEED);
    const key = await importJWK(publicJwk);
    const text = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}`;
    await expect(compactVerify(`${text}.${sign(text)}`, key)).resolves.toBeDefined();
    const { protectedHeader, payload } = await jwtVerify(await signJwt('a+jwt', { sub: 'x' }), key, {
      typ: 'a+jwt',
    });
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'a+jwt', kid });
    expect(payload).toEqual({ sub: 'x' });
  });
});
