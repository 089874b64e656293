import { calculateJwkThumbprint, compactVerify, importJWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { seedKeys } from '../../../chain/keys/seeds.ts';
import { verdictKey } from './verdict-key.ts';

const SEED = seedKeys(`0x${'11'.repeat(32)}`);

const OTHER = seedKeys(`0x${'12'.repeat(32)}`);

describe('the key of portable verdicts', () => {
  it('is one for a seed, in every process and release, and another for another seed', () => {
    expect(verdictKey(SEED).kid).toBe(verdictKey(SEED).kid);
    expect(verdictKey(SEED).kid).toBe('N2lThGmw4O5zuTaDAgba4INdPS4r_-a4QIJitNg9DdM');
    expect(verdictKey(OTHER).kid).not.toBe(verdictKey(SEED).kid);
  });

  it('goes by its RFC 7638 thumbprint and shows nothing private', async () => {
    const { kid, publicJwk } = verdictKey(SEED);
    expect(await calculateJwkThumbprint(publicJwk)).toBe(kid);
    expect(Object.keys(publicJwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  it('stays published after a rotation for as long as its seed is held', () => {
    const rotated = verdictKey(seedKeys(`1:0x${'12'.repeat(32)},0:0x${'11'.repeat(32)}`));
    expect(rotated.kid).not.toBe(verdictKey(SEED).kid);
    expect(rotated.published).toEqual([rotated.publicJwk, verdictKey(SEED).publicJwk]);
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
