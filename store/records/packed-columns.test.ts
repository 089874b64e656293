import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import type { DeterminationEvidence } from '../../agents/determinations/panel/types.ts';
import type { PublicRecord } from '../../agents/records/record.ts';
import { UnreadableRow } from '../parsed.ts';
import {
  packAlone,
  packAnswer,
  packByAnother,
  packEvidence,
  packedByWhich,
  packRecord,
  type RecordTexts,
  unpackAnswer,
  unpackEvidence,
  unpackKept,
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

const sideOf = (side: string, filler: string, length: number): RecordTexts => ({
  record: { ...RECORD, recordId: `rec_${side}`, content: { side, filler: filler.repeat(length) } } as never,
  evidence: { side, filler: [filler.repeat(length), side] },
});

it('gives back what was packed by another record, however unlike and however long they are', () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.string({ unit: 'grapheme' }), fc.nat(20_000)),
      fc.tuple(fc.string({ unit: 'grapheme' }), fc.nat(20_000)),
      (one, another) => {
        const first = sideOf('buyer', ...one);
        const second = sideOf('seller', ...another);
        const kept = packByAnother(second, first);
        expect([packedByWhich(kept), packedByWhich(packAlone(first))]).toEqual(['rec_buyer', null]);
        expect(JSON.stringify(unpackKept(kept, packAlone(first)))).toBe(JSON.stringify(second));
      },
    ),
    { numRuns: 30 },
  );
});

it('is refused without the very record that it was packed by', () => {
  const first = sideOf('buyer', 'what both sides read, ', 900);
  const second = sideOf('seller', 'what both sides read, ', 900);
  const kept = packByAnother(second, first);
  const alone = packAlone(first);
  const others = [
    null,
    packAlone(sideOf('buyer', 'what both sides read; ', 900)),
    { ...alone, evidence: null },
    { ...alone, evidence: packAlone(second).evidence },
    packByAnother(first, second),
    kept,
  ];
  for (const other of others) expect(() => unpackKept(kept, other)).toThrow(UnreadableRow);
  for (const body of [kept.body.subarray(0, -3), kept.body.subarray(0, 8), kept.body.subarray(0, 1)])
    expect(() => unpackKept({ ...kept, body }, alone)).toThrow(UnreadableRow);
  expect(unpackKept(kept, alone)).toEqual(second);
});

it('takes a third at most of the second side of a deal of what it takes alone', () => {
  const evidence = JSON.parse(readFileSync(new URL('price-2-fair.json', KEPT), 'utf8')).evidence;
  const [first] = evidence.determinations as DeterminationEvidence[];
  const of = (side: string): RecordTexts => ({
    record: { ...RECORD, recordId: side, content: { side, record: judge(first!) } } as never,
    evidence: { ...evidence, side },
  });
  const size = ({ body, evidence }: ReturnType<typeof packAlone>) => body.length + evidence!.length;
  expect(size(packByAnother(of('seller'), of('buyer'))) * 3).toBeLessThan(size(packAlone(of('seller'))));
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
