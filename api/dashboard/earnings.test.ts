import { describe, expect, it } from 'vitest';
import { moneyOf } from '../../agents/market/pricing/fees.ts';
import { type Micro, toUsd } from '../../agents/money.ts';
import { compared, type SettledDeal, stretches } from './earnings.ts';
import { earningsPlot } from './earnings-plot.ts';

const now = new Date('2026-11-21T07:00:00.000Z');
const sold = (updatedAt: string): SettledDeal => ({ role: 'seller', paysUsd: 100, getsUsd: 98, updatedAt });
const bought = (updatedAt: string): SettledDeal => ({ ...sold(updatedAt), role: 'buyer' });

describe('what an owner earned over time', () => {
  it('is told day by day where all of it is of the last thirty days, sales after fees and purchases whole', () => {
    const days = stretches(
      [
        sold('2026-11-21T01:00:00.000Z'),
        sold('2026-11-21T02:00:00.000Z'),
        bought('2026-10-23T09:00:00.000Z'),
      ],
      now,
    );
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ at: '2026-10-23', earnedUsd: 0, spentUsd: 100 });
    expect(days.at(-1)).toEqual({ at: '2026-11-21', earnedUsd: 196, spentUsd: 0 });
  });

  it('is told month by month where some of it is older', () => {
    const months = stretches([sold('2026-11-21T01:00:00.000Z'), sold('2026-01-31T23:00:00.000Z')], now);
    expect(months.map((m) => m.at)).toEqual([
      ...['2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05'],
      ...['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'],
    ]);
    expect(months[1]).toEqual({ at: '2026-01', earnedUsd: 98, spentUsd: 0 });
  });

  it('is compared with the thirty days or twelve months before, which no deal of today counts to', () => {
    const deals = [
      sold('2026-11-21T01:00:00.000Z'),
      sold('2026-10-23T00:00:00.000Z'),
      sold('2026-10-22T23:59:59.000Z'),
      bought('2026-09-23T00:00:00.000Z'),
      sold('2026-09-22T23:59:59.000Z'),
      sold('2025-11-30T23:59:59.000Z'),
    ];
    expect(compared(deals, now, 'days')).toEqual({
      now: { earnedUsd: 196, spentUsd: 0 },
      before: { earnedUsd: 98, spentUsd: 100 },
    });
    expect(compared(deals, now, 'months')).toEqual({
      now: { earnedUsd: 392, spentUsd: 100 },
      before: { earnedUsd: 98, spentUsd: 0 },
    });
  });

  it('counts of a name the fee of the own side alone', () => {
    const { buyerPays, sellerNets } = moneyOf('serial:name:alice.x', 300_000_000n as Micro);
    const name = {
      ...sold('2026-11-21T01:00:00.000Z'),
      paysUsd: toUsd(buyerPays),
      getsUsd: toUsd(sellerNets),
    };
    const { now: sums } = compared([name, { ...name, role: 'buyer' }], now, 'days');
    expect(sums).toEqual({ earnedUsd: 292.5, spentUsd: 307.5 });
  });

  it('is summed to the micro-dollar', () => {
    const cents = Array.from({ length: 10 }, () => ({
      ...sold('2026-11-21T01:00:00.000Z'),
      getsUsd: 0.1,
    }));
    expect(compared(cents, now, 'days').now.earnedUsd).toBe(1);
  });

  it('is drawn as one bar a kind and stretch, with the same figures in a table, and not at all without a deal', () => {
    const drawn = earningsPlot([sold('2026-11-21T01:00:00.000Z'), bought('2026-11-20T01:00:00.000Z')], now);
    const { text } = drawn || { text: '' };
    expect([text.match(/<rect class="earned"/g), text.match(/<rect class="spent"/g)]).toEqual([
      ['<rect class="earned"'],
      ['<rect class="spent"'],
    ]);
    expect(text).toContain('<th scope="row">2026-11-20</th>');
    expect(text).toContain('$98.00');
    expect(earningsPlot([], now)).toBe(false);
  });
});
