import { describe, expect, it } from 'vitest';
import { type LabelEntry, labelsAt } from './labels.ts';
import type { Label } from './money/flows.ts';

const AT = '2026-11-21T08:00:00.000Z';
const daysAgo = (days: number): string => new Date(Date.parse(AT) - days * 86_400_000).toISOString();
const KEY = `0x${'5a'.repeat(20)}`;

const entry = (label: Label, list: string, asOf: string | null): LabelEntry => ({
  ...{ key: KEY, label, list: `labels/${list}`, asOf },
});
const labelOf = (...entries: LabelEntry[]) => labelsAt(entries, AT).labels.map((l) => l.label);

describe('a label', () => {
  it.each<Label>(['exchange', 'bridge', 'burn', 'lender'])('%s excuses while its list is fresh', (label) => {
    expect(labelOf(entry(label, 'a', daysAgo(365)))).toEqual([label]);
    expect(labelOf(entry(label, 'a', daysAgo(366)))).toEqual([]);
    expect(labelOf(entry(label, 'a', null))).toEqual([]);
  });

  it('mixer accuses, however old its list is', () => {
    expect(labelOf(entry('mixer', 'a', daysAgo(4_000)))).toEqual(['mixer']);
    expect(labelOf(entry('mixer', 'a', null))).toEqual(['mixer']);
  });

  it('that another list contradicts gives way to the worse one, whatever the lists are called', () => {
    const both = [entry('mixer', 'a', AT), entry('exchange', 'b', AT)];
    expect(labelOf(...both)).toEqual(['mixer']);
    expect(labelOf(...both.reverse())).toEqual(['mixer']);
    expect(labelOf(entry('exchange', 'a', AT), entry('burn', 'b', AT))).toEqual(['burn']);
    expect(labelOf(entry('exchange', 'a', AT), entry('burn', 'b', null))).toEqual(['exchange']);
  });

  it('is told with its list, and each list with its date and whether it may excuse', () => {
    const entries = [
      entry('exchange', 'b', null),
      entry('bridge', 'a', AT),
      entry('mixer', 'c', daysAgo(400)),
    ];
    expect(labelsAt(entries, AT)).toEqual({
      labels: [{ key: KEY, label: 'mixer', list: 'labels/c' }],
      labelLists: [
        { name: 'labels/a', asOf: AT, excuses: true },
        { name: 'labels/b', asOf: null, excuses: false },
        { name: 'labels/c', asOf: daysAgo(400), excuses: false },
      ],
    });
  });
});
