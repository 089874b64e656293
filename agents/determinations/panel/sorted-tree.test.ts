import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Absence, type Leaf, provesAbsence, withoutRepeats } from './sorted-tree.ts';

/** RFC 6962, section 2.1, word for word: the hash of a list, and the audit path of one of its leaves. */
function treeHash(keys: readonly string[]): Uint8Array {
  if (keys.length === 1) return sha256(concatBytes(Uint8Array.of(0), utf8ToBytes(keys[0]!)));
  const k = split(keys.length);
  return sha256(concatBytes(Uint8Array.of(1), treeHash(keys.slice(0, k)), treeHash(keys.slice(k))));
}
function auditPath(m: number, keys: readonly string[]): Uint8Array[] {
  if (keys.length === 1) return [];
  const k = split(keys.length);
  return m < k
    ? [...auditPath(m, keys.slice(0, k)), treeHash(keys.slice(k))]
    : [...auditPath(m - k, keys.slice(k)), treeHash(keys.slice(0, k))];
}
const split = (n: number): number => 2 ** Math.ceil(Math.log2(n) - 1);

const leaf = (keys: readonly string[], index: number): Leaf | null =>
  keys[index] === undefined
    ? null
    : { key: keys[index], index, path: auditPath(index, keys).map((hash) => bytesToHex(hash)) };
const absence = (keys: readonly string[], key: string): Absence => {
  const at = keys.findIndex((k) => k > key);
  const after = at === -1 ? keys.length : at;
  return withoutRepeats({ list: 'x', key, before: leaf(keys, after - 1), after: leaf(keys, after) });
};
const rootOf = (keys: readonly string[]): string => bytesToHex(treeHash(keys));
const names = fc
  .uniqueArray(fc.nat(999).map(String), { minLength: 1, maxLength: 60 })
  .map((all) => all.sort());

describe('a proof that a key is not on a list', () => {
  it('holds for every key that is not, wherever it would stand', () => {
    fc.assert(
      fc.property(names, fc.nat(999).map(String), (keys, key) => {
        fc.pre(!keys.includes(key));
        expect(provesAbsence(absence(keys, key), rootOf(keys), keys.length)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('cannot be made of any two leaves for a key that is on it', () => {
    fc.assert(
      fc.property(names, fc.nat(), (keys, pick) => {
        const key = keys[pick % keys.length]!;
        const pairs = [-1, ...keys.keys()].flatMap((b) =>
          [...keys.keys(), keys.length].map((a) => [b, a] as const),
        );
        const fits = pairs.filter(([b, a]) => {
          const proof = { list: 'x', key, before: leaf(keys, b), after: leaf(keys, a) };
          return provesAbsence(proof, rootOf(keys), keys.length);
        });
        expect(fits).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('fails when one character of it or of the root is changed', () => {
    const keys = Array.from(
      { length: 37 },
      (_, i) => `0x${(i * 7 + 10).toString(16).padStart(6, '0')}`,
    ).sort();
    const proof = absence(keys, '0x000052');
    const text = JSON.stringify(proof);
    expect(provesAbsence(proof, rootOf(keys), 37)).toBe(true);
    for (let at = 0; at < text.length; at++) {
      if (!/[0-9a-f]/.test(text[at]!)) continue;
      const changed = `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;
      let other: Absence;
      try {
        other = JSON.parse(changed) as Absence;
      } catch {
        continue;
      }
      // Another key between the same two leaves is as absent as this one.
      if (other.key !== proof.key || other.list !== 'x' || other.before?.key === undefined) continue;
      if (!('index' in other.before) || !('path' in other.before) || other.after?.path === undefined)
        continue;
      expect([at, provesAbsence(other, rootOf(keys), 37)]).toEqual([at, false]);
    }
    expect(provesAbsence(proof, rootOf(keys.slice(1)), 37)).toBe(false);
    expect(provesAbsence({ ...proof, before: null }, rootOf(keys), 37)).toBe(false);
    expect(provesAbsence({ ...proof, after: null }, rootOf(keys), 37)).toBe(false);
    expect(provesAbsence({ ...proof, before: null, after: null }, rootOf(keys), 37)).toBe(false);
  });
});
