import { keccak_256 } from '@noble/hashes/sha3.js';
import { getAddress, keccak256 } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keccak } from '../../agents/canonical.ts';
import { compiledKeccak, hashByCompiledCode } from './keccak.ts';

/** Around what one permutation takes, and what is given to the compiled code at once. */
const SIZES = [0, 1, 31, 32, 135, 136, 137, 271, 272, 16_383, 16_384, 16_385, 40_000];
const bytes = fc.oneof(fc.uint8Array({ maxLength: 600 }), ...SIZES.map(ofSize));

function ofSize(length: number): fc.Arbitrary<Uint8Array> {
  return fc.integer({ min: 0, max: 255 }).map((seed) => Uint8Array.from({ length }, (_, i) => seed + i * 31));
}

describe('the compiled hash', () => {
  it('is the one in JavaScript, whatever is hashed, and in whichever piece of memory it lies', () => {
    fc.assert(
      fc.property(bytes, fc.nat({ max: 9 }), (data, at) => {
        const within = new Uint8Array(data.length + at);
        within.set(data, at);
        const expected = keccak_256(data);
        expect(compiledKeccak(data)).toEqual(expected);
        expect(compiledKeccak(Buffer.from(within.buffer, at))).toEqual(expected);
      }),
    );
  });

  it('gives each hash memory of its own', () => {
    const first = compiledKeccak(Uint8Array.of(1));
    const kept = first.slice();
    compiledKeccak(Uint8Array.of(2));
    expect(first).toEqual(kept);
  });

  it('is what records and ethers are hashed by, which changes no hash', () => {
    const before = [keccak('a record'), keccak256('0x01'), getAddress(`0x${'ab'.repeat(20)}`)];
    hashByCompiledCode();
    hashByCompiledCode();
    expect([keccak('a record'), keccak256('0x01'), getAddress(`0x${'ab'.repeat(20)}`)]).toEqual(before);
  });
});
