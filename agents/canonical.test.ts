import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, documentHash, keccak, sha256Hex } from './canonical.ts';

describe('canonical JSON (RFC 8785)', () => {
  it('sorts keys by code unit and writes numbers as ECMAScript does', () => {
    expect(canonicalJson({ b: 1e21, a: [true, null, 'é\n'], '': 0.1, undefined })).toBe(
      '{"":0.1,"a":[true,null,"é\\n"],"b":1e+21}',
    );
  });

  it('gives one text to every order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (doc) => {
        const shuffled = Object.fromEntries(Object.entries(doc).reverse());
        return canonicalJson(doc) === canonicalJson(shuffled);
      }),
    );
  });

  it('parses back to the same document', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (doc) => {
        const text = canonicalJson(doc);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('refuses what JSON cannot carry', () => {
    expect(() => canonicalJson({ a: 1n })).toThrow(TypeError);
    expect(() => canonicalJson([Number.NaN])).toThrow(TypeError);
  });

  it('hashes as the EVM and the web do', () => {
    expect(keccak('')).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(documentHash({ b: 1, a: 2 })).toBe(documentHash({ a: 2, b: 1 }));
  });
});
