import { describe, expect, it } from 'vitest';
import { stopCauses, type UndoneDeal } from './stop-causes.ts';

const found = (
  side: 'buyer' | 'seller',
  determination: string,
  verdict = 'FLAGGED',
  effect: 'stop' | 'ask' | 'proceed' = 'stop',
) => ({ side, determination, verdict, effect });
const causes = (
  buyer: UndoneDeal['outcomes']['buyer'],
  seller: UndoneDeal['outcomes']['seller'],
  more: Partial<UndoneDeal> = {},
) =>
  stopCauses({ outcomes: { buyer, seller }, findings: [], stoppedBy: [], ...more }).map(
    (c) => `${c.side} ${c.finding} ${c.verdict}`,
  );

describe('the cause for which a deal was stopped', () => {
  it('is every finding of the side whose owner chose a stop, and none of the other side', () => {
    const findings = [
      found('buyer', 'wallet'),
      found('buyer', 'provenance', 'INCONCLUSIVE'),
      found('seller', 'double-pledge'),
    ];
    expect(causes('stop', 'pass', { findings })).toEqual([
      'buyer wallet FLAGGED',
      'buyer provenance INCONCLUSIVE',
    ]);
    expect(causes(null, 'stop', { findings })).toEqual(['seller double-pledge FLAGGED']);
  });

  it('is not a finding without which its owner chose to go on', () => {
    const passed = found('buyer', 'price-intelligence', 'INCONCLUSIVE', 'proceed');
    const findings = [found('buyer', 'wallet'), passed];
    expect(causes('stop', 'pass', { findings })).toEqual(['buyer wallet FLAGGED']);
    expect(causes('ask', 'pass', { findings: [passed], stoppedBy: ['buyer'] })).toEqual([
      'buyer approval null',
    ]);
  });

  it('is the finding that an owner was asked about and refused, or did not answer', () => {
    const findings = [found('seller', 'wallet')];
    expect(causes('pass', 'ask', { findings, stoppedBy: ['seller'] })).toEqual(['seller wallet FLAGGED']);
    expect(causes('pass', 'ask', { findings })).toEqual([
      'seller wallet FLAGGED',
      'seller not-determined null',
    ]);
  });

  it('is the price when an owner was asked although nothing was found', () => {
    expect(causes('ask', 'pass', { stoppedBy: ['buyer'] })).toEqual(['buyer approval null']);
  });

  it('is no answer of the owner who was asked about a price and gave none', () => {
    expect(causes('ask', 'pass')).toEqual(['buyer not-determined null']);
  });

  it('is no answer beside what an owner was asked about and left unanswered, for as long as the lot was kept', () => {
    const bars = (more: Partial<UndoneDeal>) =>
      stopCauses({ outcomes: { buyer: 'ask', seller: 'ask' }, findings: [], stoppedBy: [], ...more }).map(
        ({ finding, side, barMs }) => ({ finding, side, barMs }),
      );
    const [minute, hour] = [60_000, 3_600_000];
    const seller = { finding: 'not-determined', side: 'seller', barMs: undefined };
    const buyer = { finding: 'not-determined', side: 'buyer' };
    expect(bars({ keptMs: minute })).toEqual([{ ...buyer, barMs: hour }, seller]);
    expect(bars({ keptMs: 24 * hour })).toEqual([{ ...buyer, barMs: 24 * hour }, seller]);
  });

  it('is beside the price that the buyer’s owner refused late, and at once none', () => {
    const late = (keptMs: number, stoppedBy: UndoneDeal['stoppedBy'] = ['buyer']) =>
      stopCauses({ outcomes: { buyer: 'ask', seller: 'ask' }, findings: [], stoppedBy, keptMs }).filter(
        (c) => c.finding === 'not-determined',
      );
    expect(late(59 * 60_000)).toEqual([
      { finding: 'not-determined', side: 'buyer', verdict: null, barMs: 59 * 60_000 },
    ]);
    expect(late(59_000)).toEqual([]);
    // What the seller ended is not held against the buyer.
    expect(late(59 * 60_000, ['seller'])).toEqual([]);
  });

  it('is the decision of an owner who was not asked', () => {
    const findings = [found('buyer', 'wallet')];
    expect(causes('ask', 'pass', { findings, stoppedBy: ['seller'] })).toEqual([
      'buyer wallet FLAGGED',
      'seller owner-decision null',
    ]);
  });

  it('is nobody’s choice when a determination was not completed, or the chain refused', () => {
    expect(causes(null, 'pass')).toEqual(['neither not-determined null']);
    expect(causes(null, null)).toEqual(['neither not-determined null']);
    expect(causes('pass', 'pass', { findings: [found('buyer', 'wallet')] })).toEqual([
      'neither settlement null',
    ]);
  });
});
