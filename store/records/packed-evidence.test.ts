import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UnreadableRow } from '../parsed.ts';
import { packEvidence, unpackEvidence } from './packed-evidence.ts';

it('gives back what was packed, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
      (evidence) => {
        expect(JSON.stringify(unpackEvidence(packEvidence(evidence)))).toBe(JSON.stringify(evidence));
      },
    ),
  );
  expect(unpackEvidence(packEvidence(null))).toBeNull();
});

it('takes less room than its text', () => {
  const evidence = {
    transfers: Array.from({ length: 100 }, (_, block) => ({ block, token: 'usdc', from: 'a' })),
  };
  expect(packEvidence(evidence)!.length * 4).toBeLessThan(JSON.stringify(evidence).length);
});

it('is refused when it is damaged, cut short, or no object', () => {
  const packed = packEvidence({ checks: ['lists', 'code', 'transfers'] })!;
  for (const kept of [packed.subarray(0, -3), Buffer.from('{}'), deflateRawSync('1'), deflateRawSync('null')])
    expect(() => unpackEvidence(kept)).toThrow(UnreadableRow);
});
