import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import type { DeterminationEvidence } from '../../agents/determinations/panel/types.ts';
import type { PublicRecord } from '../../agents/records/record.ts';
import { UnreadableRow } from '../parsed.ts';
import {
  packAnswer,
  packEvidence,
  packRecord,
  unpackAnswer,
  unpackEvidence,
  unpackRecord,
} from './packed-columns.ts';

const KEPT = new URL('../../test/fixtures/evidence/', import.meta.url);
const RECORD = { recordId: 'rec_1', kind: 'determination', issuedAt: '2026-11-01T00:00:00Z', subject: '0x1' };

it('gives back what was packed, whatever it is and however long', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), fc.array(fc.jsonValue())),
      fc.nat(100_000),
      (value, length) => {
        const evidence = { value, filler: 'ü'.repeat(length) };
        expect(JSON.stringify(unpackEvidence(packEvidence(evidence)))).toBe(JSON.stringify(evidence));
        const record = { ...RECORD, content: evidence } as unknown as PublicRecord;
        expect(JSON.stringify(unpackRecord(packRecord(record)))).toBe(JSON.stringify(record));
        const answer = { status: 200, body: `\n${JSON.stringify(evidence)}` };
        expect(unpackAnswer(packAnswer(answer))).toEqual(answer);
      },
    ),
    { numRuns: 30 },
  );
  expect(unpackEvidence(packEvidence(null))).toBeNull();
});

it('takes a fourth at most of what the text of evidence takes, and a fifth of a record’s', () => {
  for (const name of readdirSync(KEPT)) {
    const text = readFileSync(new URL(name, KEPT), 'utf8');
    const read = JSON.parse(text) as { evidence?: { determinations: DeterminationEvidence[] } };
    const evidence = read.evidence ?? read;
    const [first] = (evidence as { determinations: DeterminationEvidence[] }).determinations;
    expect(packEvidence(evidence)!.length * 4, name).toBeLessThan(JSON.stringify(evidence).length);
    const record = { ...RECORD, content: { record: judge(first!) } } as unknown as PublicRecord;
    expect(packRecord(record).length * 5, name).toBeLessThan(JSON.stringify(record).length);
  }
});

it('is refused when it is damaged, cut short, of an unknown dictionary, or not what its column is for', () => {
  const packed = packEvidence({ checks: ['lists', 'code', 'transfers'] })!;
  const damaged = Buffer.from(packed);
  damaged[5]! ^= 0xff;
  for (const kept of [packed.subarray(0, -3), packed.subarray(0, 2), Buffer.from('{}'), Buffer.of(), damaged])
    expect(() => unpackEvidence(kept)).toThrow(UnreadableRow);
  expect(() => unpackEvidence(Buffer.concat([Buffer.of(200), packed.subarray(1)]))).toThrow(UnreadableRow);
  expect(() => unpackEvidence(packEvidence(1 as never))).toThrow(UnreadableRow);
  expect(() => unpackRecord(packRecord({ ...RECORD, recordId: 1 } as never))).toThrow(UnreadableRow);
  expect(() => unpackAnswer(packAnswer({ status: 'paid', body: '' } as never))).toThrow(UnreadableRow);
});
