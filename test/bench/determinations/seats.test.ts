import { describe, expect, it } from 'vitest';
import { judge } from '../../../agents/determinations/panel/judge.ts';
import { atDepth } from '../../../agents/evaluation/read-evidence.ts';
import { benchSeats, phi, plantedFaults } from './seats.ts';

const planted = plantedFaults();
const bad = planted.filter((f) => !f.honest && !f.shared);

describe('a fault of one source', () => {
  it('is planted as stale, swapped, missing and lying, in each source', () => {
    for (const client of ['viem', 'ethers'])
      for (const kind of ['stale', 'swapped', 'missing', 'is another', 'is missing'])
        expect(bad.some((f) => f.fault.includes(`${client}: `) && f.fault.endsWith(kind))).toBe(true);
    expect(bad.length).toBeGreaterThan(40);
  });

  it.each(['2-of-2', 'superconsensus'] as const)('never makes a wallet CLEAN that is not, at %s', (depth) => {
    const believed = bad.filter((f) => judge(atDepth(f.evidence, depth)).verdict === 'CLEAN');
    expect(believed.map((f) => f.fault)).toEqual([]);
  });

  it('is believed where nobody else is asked', () => {
    const believed = bad.filter((f) => judge(atDepth(f.evidence, '1-of-1')).verdict === 'CLEAN');
    expect(believed.map((f) => f.fault)).toContain('wallet-1-proxy-to-listed: viem: swapped');
  });
});

describe('the correlation of errors', () => {
  it('is one of those who always err together, minus one of those who never do, and none of a constant', () => {
    expect(phi([true, false, true, false], [true, false, true, false])).toBe(1);
    expect(phi([true, false, true, false], [false, true, false, true])).toBe(-1);
    expect(phi([true, true], [true, false])).toBeNull();
  });

  it('is told of each pair of seats, and what panels believe at each depth', async () => {
    const rows = await benchSeats();
    expect(rows).toHaveLength(10 + 3);
    expect(rows.filter((r) => r.ok === false)).toEqual([]);
  });
});
