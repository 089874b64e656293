import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../agents/determinations/panel/judge.ts';
import { rollUpTier, rollUpWallet } from '../../../agents/determinations/panel/rollup.ts';
import type { DeterminationEvidence, RecordEvidence } from '../../../agents/determinations/panel/types.ts';
import { makeRecord } from '../../../agents/records/record.ts';
import type { RecordDocument } from '../../../agents/records/verify.ts';
import { StartError } from '../../config/start-error.ts';
import { recomputeRecord } from './record-recompute.ts';

const FOLDER = new URL('../../../test/fixtures/evidence/', import.meta.url);
const KEPT = readdirSync(FOLDER)
  .filter((name) => name.startsWith('wallet-'))
  .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')).evidence as RecordEvidence);

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A record's document as the service would serve it. */
function documentOf(content: unknown, evidence: unknown): RecordDocument {
  const made = makeRecord({
    recordId: 'rec_1',
    kind: 'determination',
    issuedAt: new Date('2026-11-21T08:00:00Z'),
    subject: 's',
    summary: '',
    content,
    evidence,
  });
  const signature = { signer: '0x', value: '0x' } as const;
  return copy({ recordId: 'rec_1', ...made, signature, evidence, proof: null, ledger: null });
}

function walletDocument(kept: RecordEvidence): RecordDocument {
  const { evidence, ...record } = rollUpWallet(judge(kept.determinations[0]!));
  const { checks, panel } = evidence;
  return documentOf({ record: { ...record, evidence: { checks, panel } }, hardFlags: [] }, kept);
}

function tierDocument(parts: readonly DeterminationEvidence[]): RecordDocument {
  const judged = rollUpTier(
    { tier: 'deal', category: 'digital-products' },
    parts.map((p) => judge(p)),
    [],
  );
  const determinations = judged.determinations.map(({ evidence: _kept, ...d }) => d);
  return documentOf(
    { record: { ...judged, determinations }, hardFlags: [] },
    { kind: 'deal', determinations: parts },
  );
}

const pledges: DeterminationEvidence = {
  id: 'double-pledge',
  rules: 1,
  at: '2026-11-21T08:00:00.000Z',
  performer: 'AGENT',
  depth: '1-of-1',
  common: { assetKey: 'serial:vin:X', listingRef: null, handle: null, claims: [] },
  blocks: {},
  seats: [{ seat: 'rules/viem', method: 'rules', source: 's', limit: 'l', facts: {}, fault: null }],
  latencyMs: 1,
};
const documents = [
  ...KEPT.map(walletDocument),
  tierDocument([KEPT[0]!.determinations[0]!, pledges]),
  tierDocument([pledges]),
];

describe('recomputing a record', () => {
  it.each(documents.map((d, i) => [i, d] as const))('comes to the recorded verdict: %i', (_, document) => {
    const found = recomputeRecord(document);
    expect(found.steps.filter((s) => !s.ok)).toEqual([]);
    expect(found).toMatchObject({ ok: true, verdict: found.recorded });
  });

  it('comes to the verdict of an earlier release, whose records do not say what their confidence is', () => {
    const kept = KEPT[0]!;
    const { confidenceBasis, ...record } = rollUpWallet(judge(kept.determinations[0]!));
    expect(confidenceBasis).toBe('uncalibrated');
    const found = recomputeRecord(documentOf({ record, hardFlags: [] }, kept));
    expect(found).toMatchObject({ ok: true, verdict: found.recorded });
  });

  it('detects any change of the evidence, wherever it is made', () => {
    fc.assert(
      fc.property(fc.constantFrom(...documents), fc.nat(), (document, at) => {
        const changed = { ...copy(document), evidence: changedAt(copy(document.evidence), at) };
        const found = recomputeRecord(changed as RecordDocument);
        expect(found.ok).toBe(false);
        expect(found.steps[1]).toEqual({ step: expect.stringContaining('evidence'), ok: false });
      }),
      { numRuns: 300 },
    );
  });

  it('detects a verdict, a vote or a check that does not follow from the evidence, even when all hashes match', () => {
    const content = copy(documents[0]!.record.content) as {
      record: {
        verdict: string;
        evidence: { checks: { outcome: string }[]; panel: { votes: { vote: string }[] } };
      };
    };
    const { record } = content;
    const forge = (change: () => void): readonly boolean[] => {
      const before = copy(content);
      change();
      const { steps } = recomputeRecord(documentOf(content, KEPT[0]));
      Object.assign(record, before.record);
      return steps.map((s) => s.ok);
    };
    const other = record.verdict === 'CLEAN' ? 'FLAGGED' : 'CLEAN';
    expect(forge(() => Object.assign(record, { verdict: other }))).toEqual([true, true, true, false]);
    expect(forge(() => Object.assign(record.evidence.panel.votes[0]!, { vote: 'x' }))[2]).toBe(false);
    expect(forge(() => Object.assign(record.evidence.checks[0]!, { outcome: 'x' }))[2]).toBe(false);
    expect(forge(() => record.evidence.checks.pop())[2]).toBe(false);
  });

  it('detects a determination that was left out of the record or of the evidence', () => {
    const whole = documents.at(-2)!;
    const content = copy(whole.record.content) as { record: { determinations: unknown[] } };
    content.record.determinations.pop();
    expect(recomputeRecord(documentOf(content, whole.evidence)).ok).toBe(false);
    expect(
      recomputeRecord(documentOf(whole.record.content, { kind: 'deal', determinations: [pledges] })).ok,
    ).toBe(false);
  });

  it('has nothing to judge where a record is no determination or rests on no evidence', () => {
    expect(() => recomputeRecord(documentOf({ dealId: 'deal_1' }, {}))).toThrow(StartError);
    expect(() => recomputeRecord(documentOf(documents[0]!.record.content, null))).toThrow(StartError);
  });
});

/** A copy of the document whose nth leaf is changed. */
function changedAt(value: unknown, n: number): unknown {
  const leaves: { holder: Record<string, unknown>; key: string }[] = [];
  const walk = (holder: Record<string, unknown>): void => {
    for (const [key, held] of Object.entries(holder)) {
      if (typeof held === 'object' && held !== null) walk(held as Record<string, unknown>);
      else leaves.push({ holder, key });
    }
  };
  walk(value as Record<string, unknown>);
  const { holder, key } = leaves[n % leaves.length]!;
  const held = holder[key];
  holder[key] = typeof held === 'number' ? held + 1 : held === null ? 'x' : `${held}x`;
  return value;
}
