import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonWith, type KeptJson, keep } from './kept-json.ts';

const plain = fc.jsonValue() as fc.Arbitrary<unknown>;

it('is what JSON.stringify makes of it, whatever of it was kept', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), plain), fc.dictionary(fc.string(), plain), (inner, outer) => {
      const kept: KeptJson = new WeakMap();
      const value = { ...outer, inner, again: [inner, { inner }], nothing: undefined };
      const text = JSON.stringify(value);
      expect(jsonWith(kept, value)).toBe(text);
      keep(kept, inner);
      expect(jsonWith(kept, value)).toBe(text);
    }),
  );
});

it('keeps what was written down, not what became of it', () => {
  const kept: KeptJson = new WeakMap();
  const part = keep(kept, { a: 1 });
  part.a = 2;
  expect(jsonWith(kept, { part })).toBe('{"part":{"a":1}}');
});
