import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import { recompute } from './recompute.ts';
import type { RecordEvidence } from './types.ts';

interface Kept {
  readonly verdict: string;
  readonly determination: readonly string[];
  readonly checks: readonly (readonly [string, string])[];
  readonly evidence: RecordEvidence;
}

const FOLDER = new URL('../../../test/fixtures/evidence/', import.meta.url);
const kept = readdirSync(FOLDER).map(
  (name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Kept] as const,
);

/** Evidence as released versions kept it. A file in this folder must never change once it is released. */
describe('evidence kept by an earlier release', () => {
  it('exists of every determination, and of each version of the rules about bidding', () => {
    const of = (id: string) => kept.filter(([name]) => name.startsWith(id)).length;
    expect(of('wallet-')).toBeGreaterThanOrEqual(7);
    expect(of('shill-1-')).toBeGreaterThanOrEqual(6);
    expect(of('shill-2-')).toBeGreaterThanOrEqual(5);
    expect(of('shill-3-')).toBeGreaterThanOrEqual(5);
    for (const version of [4, 5]) expect(of(`shill-${version}-`)).toBeGreaterThanOrEqual(1);
    expect(of('mandate-')).toBeGreaterThanOrEqual(2);
    expect(of('pledge-3-')).toBeGreaterThanOrEqual(2);
    expect(of('provenance-2-')).toBeGreaterThanOrEqual(2);
    expect(of('price-2-')).toBeGreaterThanOrEqual(4);
  });

  it.each(kept)('gives %s the same verdict, votes and checks again', (_, before) => {
    expect(recompute(before.evidence).verdict).toBe(before.verdict);
    const [evidence] = before.evidence.determinations;
    const { checks, panel } = judge(evidence!);
    expect(panel.votes.map((v) => v.vote)).toEqual(before.determination);
    expect(checks.map((c) => [c.id, c.outcome])).toEqual(before.checks);
  });
});
