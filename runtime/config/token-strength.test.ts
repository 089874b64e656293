import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weaknessOfToken } from './token-strength.ts';

describe('an operator key', () => {
  it('drawn at random may be used: a thousand of them, in hex, base64, as a UUID and as the commands make them', () => {
    for (let i = 0; i < 250; i++) {
      const made = [
        randomBytes(16).toString('hex'),
        randomBytes(24).toString('base64'),
        randomUUID(),
        `op_${randomBytes(24).toString('hex')}`,
      ];
      for (const token of made) expect([token, weaknessOfToken(token)]).toEqual([token, null]);
    }
  });

  it.each([
    'a'.repeat(24),
    'a'.repeat(400),
    'abcdefghijklmnopqrstuvwxyz',
    '0123456789abcdef0123456789abcdef',
    'op_0123456789abcdef0123456789abcdef',
    'operator-key-0123456789abcdef',
    'passwordpasswordpassword',
    'Password123!Password123!',
    'changeme-changeme-changeme',
    'qwertyuiopasdfghjklzxcvbnm',
    '1q2w3e4r5t6y7u8i9o0p1q2w',
    'a1b2c3d4e5f6g7h8i9j0k1l2',
    'aaaabbbbccccddddeeeeffff',
    'correct-horse-battery-staple',
    'CorrectHorseBatteryStaple',
    'thequickbrownfoxjumpsoverthelazydog',
    'SafeHandshakeOperatorKey2026',
    'deadbeefdeadbeefdeadbeef',
    `op_${'0'.repeat(48)}`,
  ])('such as %s can be guessed, and is refused', (token) => {
    expect(weaknessOfToken(token)).toContain('guessed');
  });

  it('that repeats a short pattern is refused, however long it is', () => {
    const pattern = fc.string({ minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(pattern, fc.integer({ min: 24, max: 100 }), (text, n) => {
        expect(weaknessOfToken(text.repeat(n).slice(0, n))).not.toBeNull();
      }),
    );
  });

  it('that is too short is refused, however random', () => {
    expect(weaknessOfToken(randomBytes(11).toString('hex'))).toContain('shorter than 24');
  });
});
