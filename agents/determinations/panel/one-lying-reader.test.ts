import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import type { DeterminationEvidence, RecordEvidence } from './types.ts';

const FOLDER = new URL('../../../test/fixtures/evidence/', import.meta.url);
const kept = (name: string): DeterminationEvidence => {
  const text = readFileSync(new URL(`wallet-1-plain-${name}.json`, FOLDER), 'utf8');
  return (JSON.parse(text) as { evidence: RecordEvidence }).evidence.determinations[0]!;
};

/** The paths of every value in a reading that is a number, a text or a truth. */
function leaves(value: unknown, path: readonly string[] = []): string[][] {
  if (value === null) return [];
  if (typeof value !== 'object') return [[...path]];
  return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]));
}

function changed(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) {
    if (typeof value === 'boolean') return !value;
    return typeof value === 'number' ? value + 1 : `${String(value)}1`;
  }
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = changed(copy[key], rest);
  return copy;
}

/** The evidence as it is if everything that one source reads at this path is something else. */
function lying(
  evidence: DeterminationEvidence,
  source: string,
  path: readonly string[],
): DeterminationEvidence {
  const seats = evidence.seats.map((s) =>
    s.source === source && s.facts !== null ? { ...s, facts: changed(s.facts, path) } : s,
  );
  return { ...evidence, seats };
}

describe.each(['2-of-2', 'superconsensus'])('one source that lies, at %s', (depth) => {
  const evidence = kept(depth);
  const sources = [...new Set(evidence.seats.filter((s) => s.facts !== null).map((s) => s.source))];

  it('is one of two, which agree on a wallet that is CLEAN', () => {
    expect([sources.length, judge(evidence).verdict]).toEqual([2, 'CLEAN']);
  });

  it('about any single value of what it reads denies CLEAN', () => {
    const believed = sources.flatMap((source) => {
      const { facts } = evidence.seats.find((s) => s.source === source)!;
      const paths = leaves(facts);
      expect(paths.length).toBeGreaterThan(3);
      return paths
        .filter((path) => judge(lying(evidence, source, path)).verdict === 'CLEAN')
        .map((path) => `${source}: ${path.join('.')}`);
    });
    expect(believed).toEqual([]);
  });
});
