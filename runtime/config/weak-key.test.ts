import { createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { bytesToHex, keccak256, toBytes } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { PUBLISHED_FINGERPRINTS } from './published-fingerprints.ts';
import { COMMON_PHRASES, PUBLISHED_KEYS, PUBLISHED_MNEMONICS } from './published-sources.ts';
import { fingerprintOf, weaknessOfKey } from './weak-key.ts';

const ANVIL = 'test test test test test test test test test test test junk';
const hexOf = (bytes: Iterable<number>): string => `0x${Buffer.from([...bytes]).toString('hex')}`;
const accountKey = (mnemonic: string, addressIndex: number): string =>
  bytesToHex(mnemonicToAccount(mnemonic, { addressIndex }).getHdKey().privateKey!).slice(2);

/** Every published key and seed, in hex without 0x. */
function published(): string[] {
  return [
    ...PUBLISHED_KEYS,
    ...PUBLISHED_MNEMONICS.flatMap(([mnemonic, accounts]) => [
      pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512').toString('hex'),
      ...Array.from({ length: accounts }, (_, i) => accountKey(mnemonic, i)),
    ]),
    ...COMMON_PHRASES.flatMap((phrase) => [
      createHash('sha256').update(phrase).digest('hex'),
      keccak256(toBytes(phrase)).slice(2),
    ]),
  ];
}

describe('a private key or seed', () => {
  it('that tools and documents publish is known by its fingerprint, and the list holds nothing else', () => {
    const made = [...new Set(published().map(fingerprintOf))].sort();
    expect(PUBLISHED_FINGERPRINTS.trim().split(/\s+/)).toEqual(made);
  });

  it.each([0, 1, 9, 19])('of account %i of the usual development mnemonic is refused as published', (i) => {
    const key = accountKey(ANVIL, i);
    expect(weaknessOfKey(`0x${key}`)).toContain('published');
    expect(weaknessOfKey(`0x${key.toUpperCase()}`)).toContain('published');
    // Also found as one half of a longer seed.
    expect(weaknessOfKey(`0x${key}${randomBytes(32).toString('hex')}`)).toContain('published');
    expect(weaknessOfKey(`0x${randomBytes(32).toString('hex')}${key}`)).toContain('published');
  });

  it('drawn at random may be used: a thousand of them, of 32 to 64 bytes', () => {
    for (let i = 0; i < 1_000; i++) {
      const key = hexOf(randomBytes(32 + (i % 33)));
      expect([key, weaknessOfKey(key)]).toEqual([key, null]);
    }
  });

  const byte = fc.integer({ min: 0, max: 255 });
  const length = fc.integer({ min: 32, max: 64 });
  const refused = (bytes: Iterable<number>): void => {
    expect(weaknessOfKey(hexOf(bytes))).not.toBeNull();
  };

  it('of one byte, also with a few others in it, is refused', () => {
    fc.assert(
      fc.property(byte, fc.array(fc.tuple(fc.nat(31), byte), { maxLength: 3 }), (value, others) => {
        const bytes = new Uint8Array(32).fill(value);
        for (const [at, other] of others) bytes[at] = other;
        refused(bytes);
      }),
    );
  });

  it('that repeats a pattern of up to half its length is refused', () => {
    fc.assert(
      fc.property(fc.array(byte, { minLength: 1, maxLength: 16 }), length, (pattern, n) =>
        refused(Array.from({ length: n }, (_, i) => pattern[i % pattern.length]!)),
      ),
    );
  });

  it('that is a small number, at either end, or just below the order of the curve, is refused', () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const bits = fc.bigInt({ min: 0n, max: 2n ** 128n });
    fc.assert(
      fc.property(bits, fc.nat(128), (value, shift) => {
        for (const number of [value, value << BigInt(shift), order - 1n - value])
          expect(weaknessOfKey(`0x${number.toString(16).padStart(64, '0')}`)).not.toBeNull();
      }),
    );
  });

  it('that counts up or down by any step, in bytes or in digits, is refused', () => {
    fc.assert(
      fc.property(byte, byte, length, (first, step, n) =>
        refused(Array.from({ length: n }, (_, i) => (first + i * step) % 256)),
      ),
    );
    for (let step = 0; step < 16; step++)
      expect(
        weaknessOfKey(`0x${Array.from({ length: 64 }, (_, i) => ((i * step) % 16).toString(16)).join('')}`),
      ).not.toBeNull();
  });

  it('of two counters in turn, of squares, or that mirrors itself, is refused', () => {
    fc.assert(
      fc.property(byte, byte, byte, byte, (a, s, b, t) =>
        refused(Array.from({ length: 32 }, (_, i) => (i % 2 ? a + i * s : b + i * t) & 255)),
      ),
    );
    refused(Array.from({ length: 32 }, (_, i) => (i * i) & 255));
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (half) =>
        refused([...half, ...[...half].reverse()]),
      ),
    );
  });

  it('that is text, or decimal digits, is refused', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 32, maxLength: 32, unit: 'grapheme-ascii' }), (text) =>
        refused(Buffer.from(text)),
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 64, maxLength: 64 }), (digits) =>
        refused(Buffer.from(digits.join(''), 'hex')),
      ),
    );
  });
});
